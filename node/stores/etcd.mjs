import store from './etcd.js';

export const { EtcdStore, initNamespace, leases, raiseFloor } = store;
