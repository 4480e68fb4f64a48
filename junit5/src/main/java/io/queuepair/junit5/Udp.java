// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The network is UDP on this host, in real time. Each host has a free loopback address in place of
 * the one that {@link Host} or a fault plan names, so that builds may run side by side on one
 * machine. Not on macOS, unless such addresses were added.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Udp {}
