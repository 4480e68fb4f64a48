// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Fault plan of the network, active as soon as the network exists. The plan of a method is added to
 * that of its class. The test fails if a statement was never carried out: {@link
 * Check#UNUSED_FAULTS}. With {@link Seeds}, statements with a probability, such as {@code drop 2%},
 * are judged over all seeds. In a network that tests of a class share, the plan of a method stays
 * active after it, and all are judged after the last test.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Faults {
  /**
   * The plan.
   *
   * @return statements, each of which may hold several separated by semicolons, such as {@code drop
   *     2nd ACK}; without a {@code seed} its random numbers depend on that of the test
   */
  String[] value();
}
