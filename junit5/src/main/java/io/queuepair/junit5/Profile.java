// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.emulator.profile.DeviceProfile;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.function.Supplier;

/** Profile of all devices of a class or method, or of one parameter's device. */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.PARAMETER})
public @interface Profile {
  /**
   * The name of a built-in profile.
   *
   * @return {@code standard} or {@code soft-roce}; ignored if {@link #factory} is given
   */
  String value() default "standard";

  /**
   * Class that makes a profile of your own.
   *
   * @return at most one class, which has a constructor without parameters
   */
  Class<? extends Supplier<DeviceProfile>>[] factory() default {};
}
