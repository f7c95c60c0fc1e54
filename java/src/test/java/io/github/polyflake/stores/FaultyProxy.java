package io.github.polyflake.stores;

import java.io.IOException;
import java.net.URI;

/** A proxy before one of the servers of tests/servers/run, with the faults that tests/servers/proxy.py lists. */
final class FaultyProxy {
  /** The server behind the proxy. */
  final URI url;

  FaultyProxy(String server) throws IOException {
    url = URI.create(Control.ask("proxy " + server));
  }

  /** In force when this returns: {@code "drop replies"}, {@code "swap"}; {@code "pass"} ends all of them. */
  void fault(String fault) throws IOException {
    Control.ask("fault " + url + " " + fault);
  }
}
