package io.github.polyflake.stores;

import io.github.polyflake.internal.Refusal;
import java.io.UnsupportedEncodingException;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;

/**
 * The address for a client in parts: {@code
 * scheme://[user[:password]@]host[:port][,host[:port]...][/path][?parameters]}. Not a java.net.URI,
 * which knows one host only and quotes what it refuses, credentials included.
 */
final class Authority {
  final String scheme;
  /** Decoded; null if there is none. */
  final String user;
  final String password;
  final List<String> hosts = new ArrayList<>();
  /** Decoded, without its first slash. */
  final String path;
  /** Not decoded, without the question mark. */
  final String parameters;

  Authority(String url) {
    int begin = url.indexOf("://") + 3;
    scheme = url.substring(0, begin - 3);
    int question = url.indexOf('?');
    parameters = question < 0 ? "" : url.substring(question + 1);
    String address = question < 0 ? url.substring(begin) : url.substring(begin, question);
    // The last '@', as in the address for people, which omits the credentials.
    int at = address.lastIndexOf('@');
    String credentials = at < 0 ? null : address.substring(0, at);
    String rest = address.substring(at + 1);
    int slash = rest.indexOf('/');
    path = slash < 0 ? "" : decoded(rest.substring(slash + 1));
    for (String host : (slash < 0 ? rest : rest.substring(0, slash)).split(",")) {
      hosts.add(host.isEmpty() ? "localhost" : host);
    }
    int colon = credentials == null ? -1 : credentials.indexOf(':');
    String name = colon < 0 ? credentials : credentials.substring(0, colon);
    user = name == null || name.isEmpty() ? null : decoded(name);
    password = colon < 0 ? null : decoded(credentials.substring(colon + 1));
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), "UTF-8");
    } catch (IllegalArgumentException | UnsupportedEncodingException e) {
      throw Refusal.of("worker_source_invalid", "a '%' in the address of a store is not followed by two hex digits");
    }
  }

  /** Returns the host without its port. */
  static String nameOf(String host) {
    int colon = portAt(host);
    String name = colon < 0 ? host : host.substring(0, colon);
    return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
  }

  static int portOf(String host, int usual) {
    int colon = portAt(host);
    return colon < 0 ? usual : number(host.substring(colon + 1));
  }

  private static int portAt(String host) {
    int colon = host.lastIndexOf(':');
    return colon > host.lastIndexOf(']') ? colon : -1;
  }

  /** Returns the number of at most five digits. Errors: worker_source_invalid. */
  static int number(String text) {
    boolean digits = !text.isEmpty() && text.length() <= 5 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!digits) {
      throw Refusal.of("worker_source_invalid", "a port or number in the address of a store is none");
    }
    return Integer.parseInt(text);
  }
}
