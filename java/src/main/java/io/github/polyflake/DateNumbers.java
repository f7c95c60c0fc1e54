package io.github.polyflake;

import io.github.polyflake.internal.NativeDateNumbers;
import io.github.polyflake.internal.NativeLibrary;
import java.util.Objects;

/**
 * The numbers of a counter of dates, each made of the label of a period and a count, and their
 * texts.
 *
 * <pre>{@code
 * DateNumbers numbers = DateNumbers.of("yyyyMMdd", 6, "ORD");
 * long number = numbers.number(20230414, 1);   // 20230414000001
 * String text = numbers.text(number);          // ORD20230414000001
 * long same = numbers.parse(text);
 * }</pre>
 *
 * <p>{@link DateIdSource} issues such numbers. Immutable, safe for use by several threads, never
 * blocks.
 */
public final class DateNumbers {
  final NativeDateNumbers handle;
  private final String period;
  private final int digits;
  private final String prefix;

  private DateNumbers(NativeDateNumbers handle) {
    this.handle = handle;
    period = handle.period();
    digits = (int) handle.digits();
    prefix = handle.prefix();
  }

  /**
   * Returns the numbers of a period, with these digits and this prefix.
   *
   * @param period the form of a label: {@code yyyyMMdd}, {@code yyyyMM} or {@code yyyy}
   * @param digits of the count within a period, 1 to 10
   * @param prefix of texts, at most 16 of {@code A-Z a-z 0-9 _ -}
   * @return the numbers
   * @throws BadArgumentException {@code option_invalid}
   */
  public static DateNumbers of(String period, long digits, String prefix) {
    NativeLibrary.require();
    return new DateNumbers(new NativeDateNumbers(period, digits, prefix));
  }

  /**
   * Returns the form of a label.
   *
   * @return {@code yyyyMMdd}, {@code yyyyMM} or {@code yyyy}
   */
  public String period() {
    return period;
  }

  /**
   * Returns the digits of the count within a period.
   *
   * @return 1 to 10
   */
  public int digits() {
    return digits;
  }

  /**
   * Returns the prefix of texts.
   *
   * @return up to 16 characters
   */
  public String prefix() {
    return prefix;
  }

  /**
   * Returns the number that is made of a label and a count.
   *
   * @param label of a period, such as 20230414, 202304 or 2023; of the years 1970 to 9999
   * @param count 1 to 10<sup>digits</sup> - 1: it never carries into the date
   * @return a positive number
   * @throws BadArgumentException {@code field_out_of_range}
   */
  public long number(long label, long count) {
    return handle.number(label, count);
  }

  /**
   * Returns the label and the count of a number.
   *
   * @param number a number of this period and these digits
   * @return its parts
   * @throws BadArgumentException {@code field_out_of_range} if no number is made so
   */
  public Parts parts(long number) {
    return new Parts(handle.labelOf(number), handle.countOf(number));
  }

  /**
   * Returns a number as it is printed.
   *
   * @param number a number of this period and these digits
   * @return the prefix, the label and all digits of the count
   * @throws BadArgumentException {@code field_out_of_range} if no number is made so
   */
  public String text(long number) {
    return handle.text(number);
  }

  /**
   * Returns the number that {@link #text(long)} printed; refuses any other text.
   *
   * @param text with its prefix
   * @return the number
   * @throws BadArgumentException {@code text_invalid}, with the position of the first wrong
   *     character
   */
  public long parse(String text) {
    return handle.parse(text);
  }

  /** Returns whether the other object has the same period, digits and prefix. */
  @Override
  public boolean equals(Object other) {
    return other instanceof DateNumbers
        && period.equals(((DateNumbers) other).period)
        && digits == ((DateNumbers) other).digits
        && prefix.equals(((DateNumbers) other).prefix);
  }

  @Override
  public int hashCode() {
    return Objects.hash(period, digits, prefix);
  }

  @Override
  public String toString() {
    return "DateNumbers(period=" + period + ", digits=" + digits + ", prefix=" + Integers.quoted(prefix) + ")";
  }

  /**
   * A number taken apart by {@link DateNumbers#parts(long)}. Immutable.
   *
   * <p>Its members are bean properties too, so that a framework can write them as JSON or read them
   * in a template.
   */
  public static final class Parts {
    private final long label;
    private final long count;

    Parts(long label, long count) {
      this.label = label;
      this.count = count;
    }

    /**
     * Returns the label of the period.
     *
     * @return for example 20230414, 202304 or 2023
     */
    public long label() {
      return label;
    }

    /**
     * Returns the count within the period.
     *
     * @return at least 1
     */
    public long count() {
      return count;
    }

    /**
     * A bean property.
     *
     * @return {@link #label()}
     */
    public long getLabel() {
      return label;
    }

    /**
     * A bean property.
     *
     * @return {@link #count()}
     */
    public long getCount() {
      return count;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Parts && label == ((Parts) other).label && count == ((Parts) other).count;
    }

    @Override
    public int hashCode() {
      return Objects.hash(label, count);
    }

    @Override
    public String toString() {
      return "DateNumbers.Parts(label=" + label + ", count=" + count + ")";
    }
  }
}
