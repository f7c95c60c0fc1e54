import store from './zookeeper.js';

export const { ZooKeeperStore, initNamespace, leases, raiseFloor } = store;
