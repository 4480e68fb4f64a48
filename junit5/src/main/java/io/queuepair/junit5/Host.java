// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Chooses the device of a parameter by its address. Parameters of a test with the same address, and
 * of the methods that run before and after it, are the same device.
 *
 * <p>Without this annotation the name of the parameter chooses: {@code Device server} is the same
 * device wherever it is asked for. Classes compiled without {@code -parameters} have no such names;
 * then the parameters of one method stand for the first device, the second and so on, and methods
 * that ask for another number of them are refused. Devices chosen in this way have the addresses
 * 10.0.0.1, 10.0.0.2 and so on, in the order in which they are asked for.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER})
public @interface Host {
  /**
   * The address of the device.
   *
   * @return an IP address, such as {@code 10.0.0.2}; with {@link Udp} it stands for a free one
   */
  String value();
}
