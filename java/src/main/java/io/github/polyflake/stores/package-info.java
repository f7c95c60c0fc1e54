/**
 * Stores through which hosts share node ids and counters, each over a client of your own. Start
 * with {@link io.github.polyflake.stores.Store}. docs/leases.md lists the promises for each store.
 *
 * <p>Clients are optional dependencies: a class that needs one is loaded only when it is used.
 */
package io.github.polyflake.stores;
