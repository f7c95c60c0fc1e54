import store from './redis.js';

export const { RedisStore, initNamespace, leases, raiseFloor } = store;
