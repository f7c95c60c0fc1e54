package org.slf4j.impl;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.ILoggerFactory;
import org.slf4j.Logger;
import org.slf4j.spi.LoggerFactoryBinder;

/** The logging of the tests, which SLF4J finds by this name: it keeps the warnings of HikariCP, and no other line. */
public final class StaticLoggerBinder implements LoggerFactoryBinder {
  private static final StaticLoggerBinder SINGLETON = new StaticLoggerBinder();
  /** Warnings and errors, each with its arguments. */
  public static final List<List<Object>> WARNINGS = new CopyOnWriteArrayList<>();

  public static StaticLoggerBinder getSingleton() {
    return SINGLETON;
  }

  private static Object heard(String logger, String method, Object[] arguments) {
    boolean warns = logger.startsWith("com.zaxxer.hikari") && (method.equals("warn") || method.equals("error"));
    if (warns) {
      WARNINGS.add(List.of(arguments));
    }
    return method.equals("getName") ? logger : method.startsWith("is") ? (Object) false : null;
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return name -> (Logger) Proxy.newProxyInstance(Logger.class.getClassLoader(), new Class<?>[] {Logger.class},
        (self, method, arguments) -> heard(name, method.getName(), arguments));
  }

  @Override
  public String getLoggerFactoryClassStr() {
    return getClass().getName();
  }
}
