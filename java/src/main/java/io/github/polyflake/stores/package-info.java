/**
 * Stores: where hosts share node ids, each over a client of your own. Start with
 * {@link io.github.polyflake.stores.Store}. What is promised for which store: docs/leases.md.
 *
 * <p>Clients are optional dependencies; a class that needs one is loaded only where it is used.
 */
package io.github.polyflake.stores;
