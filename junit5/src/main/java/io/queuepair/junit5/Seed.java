// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The number that all random choices of a test begin with; the report of a failed test names it.
 * Without it each test has one of its own, which stays the same from run to run. The configuration
 * parameter or system property {@code queuepair.seed} has precedence.
 *
 * <p>On a parameter of type {@code long} it asks for that number, and its value does not count.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.PARAMETER})
public @interface Seed {
  /**
   * The seed.
   *
   * @return any number
   */
  long value() default 0;
}
