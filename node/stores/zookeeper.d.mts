export * from './zookeeper.js';
