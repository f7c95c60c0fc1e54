package io.github.polyflake.stores;

import io.github.polyflake.internal.NativeStoreAddress;
import io.github.polyflake.internal.StoreConnection;
import java.util.function.Function;

/** A link whose connections come from one source, and need no setup. */
class SourceLink extends Link {
  /** The source of connections. */
  interface Source {
    StoreConnection connect(long timeoutMs) throws Exception;
  }

  private final ClientLibrary library;
  private final Source source;
  private final Function<Throwable, String> code;

  /** Makes a link; {@code code} gives the store's own code of a failure, empty if it has none. */
  SourceLink(NativeStoreAddress address, ClientLibrary library, Source source, Function<Throwable, String> code) {
    super(address);
    this.library = library;
    this.source = source;
    this.code = code;
  }

  @Override
  public final String complaint(LinkageError failure) {
    return library.complaint(failure);
  }

  @Override
  public final String codeOf(Throwable failure) {
    return code.apply(failure);
  }

  @Override
  public final StoreConnection connect(String[] setup, long timeoutMs) throws Exception {
    return source.connect(timeoutMs);
  }
}
