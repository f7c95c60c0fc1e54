import store from './sql.js';

export const { SqlStore, initNamespace, leases, raiseFloor } = store;
