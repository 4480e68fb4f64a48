// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Seed of all random choices of a test; the report of a failed test names it. Without this
 * annotation each test has a seed of its own, which stays the same from run to run. The
 * configuration parameter or system property {@code queuepair.seed} has precedence.
 *
 * <p>On a parameter of type {@code long} it asks for the seed, and its own value is ignored.
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
