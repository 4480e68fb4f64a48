// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Order in which the threads of a test run, in virtual time: those that {@link
 * io.queuepair.emulator.Emulator#start} starts. With {@code random} each seed of {@link Seeds} is
 * another order; if one fails, the test runs again with fewer and fewer switches between threads,
 * and the failure names those that are left. The configuration parameter or system property {@code
 * queuepair.schedule} has precedence.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface ThreadSchedule {
  /**
   * The order.
   *
   * @return the text of a {@link io.queuepair.emulator.threads.Schedule}, such as {@code verbs} or
   *     {@code switches(2.5>3 1.7>0)}; or {@code random}, by the seed of the test
   */
  String value() default "fifo";

  /**
   * Whether a thread that is blocked where the emulator does not see it fails the test, as the next
   * run may differ: {@link io.queuepair.emulator.threads.ApplicationThreads#strict}.
   *
   * @return whether it does
   */
  boolean strict() default false;
}
