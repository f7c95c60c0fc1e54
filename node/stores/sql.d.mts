export * from './sql.js';
