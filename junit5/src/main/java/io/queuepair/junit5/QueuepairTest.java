// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives the tests of a class, or one test method, a network of their own as parameters.
 *
 * <pre>{@code
 * @QueuepairTest
 * class WriteTest {
 *   @Test
 *   @Faults("drop 1st RDMA_WRITE")
 *   void aLostPacketIsSentAgain(QpPair pair) { ... }
 * }
 * }</pre>
 *
 * <p>Parameters, also of constructors and of methods that run before and after tests:
 *
 * <ul>
 *   <li>{@link io.queuepair.emulator.Emulator}: the network and its devices
 *   <li>{@link io.queuepair.verbs.Device}: one of its devices, chosen by {@link Host} or by the
 *       name of the parameter
 *   <li>{@link io.queuepair.verbs.Context}: that device, opened; closed by the extension
 *   <li>{@link io.queuepair.rdmacm.RdmaCm}: the connection manager of that device
 *   <li>{@link QpPair}: two queue pairs of type RC that are connected to each other
 *   <li>{@link NetworkFaults}: faults from now on
 *   <li>{@code long} with {@link Seed}: the seed of the test
 * </ul>
 *
 * <p>Whatever a test asks for belongs to one network, which no other test sees. A parameter of a
 * {@code @BeforeAll} method, or of the constructor if one instance runs all tests of its class,
 * makes the network one of the class, which its tests share.
 *
 * <p>Time is {@link Virtual}, unless {@link RealTime} or {@link Udp} say otherwise. Devices are of
 * the standard profile, unless {@link Profile} says otherwise, and have a sanitizer, also those
 * that a test adds to the emulator. After a test the extension closes the objects that it made, and
 * makes each {@link Check}; {@link DisabledChecks} turns them off.
 *
 * <p>Tests that fail have a report among their suppressed exceptions, a capture and a ladder in
 * files beside the report of Maven or Gradle; those of tests that pass are deleted.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(QueuepairExtension.class)
public @interface QueuepairTest {
  /**
   * How long a test may take in real time; then it is interrupted, and fails with what every queue
   * pair waited for at that moment. The same limit holds for each dynamic test, each constructor,
   * and each method before and after tests. The configuration parameter or system property {@code
   * queuepair.timeout} has precedence.
   *
   * @return seconds; 0 for no limit, not less
   */
  long timeoutSeconds() default 60;
}
