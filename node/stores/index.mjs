import store from './index.js';

export const { Store, initNamespace, leases, raiseFloor } = store;
