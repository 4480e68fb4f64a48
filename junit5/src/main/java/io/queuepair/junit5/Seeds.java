// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs a test once for each seed of a range, in ascending order, in place of {@code @Test}. The
 * first failure ends it, so that the seed it names is the smallest that fails. With the system
 * property {@code queuepair.seed} it runs once, with that seed; {@code queuepair.seeds} says how
 * many seeds there are, instead of {@link #to}.
 *
 * <p>Seeds run at the same time where JUnit runs tests so, with the same failure as one after the
 * other; {@code @Execution(SAME_THREAD)} on the method or its class keeps one thread.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@TestTemplate
@ExtendWith(SeedInvocations.class)
public @interface Seeds {
  /**
   * The first seed.
   *
   * @return any number
   */
  long from() default 1;

  /**
   * The last seed.
   *
   * @return not less than {@link #from}
   */
  long to();

  /**
   * Whether each seed runs twice, where time is virtual. Captures that differ fail the test, with
   * the first packet that differs and what is often the cause. The configuration parameter or
   * system property {@code queuepair.twice} has precedence.
   *
   * @return whether they do
   */
  boolean twice() default false;
}
