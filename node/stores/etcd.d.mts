export * from './etcd.js';
