// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.verbs.Errno;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Which calls of a verb a {@link FaultPlanBuilder} lets fail: {@code VerbSelector.of("ibv_reg_mr",
 * Errno.ENOMEM).nth(3).on("10.0.0.1")}. Immutable. What is wrong with it the builder says.
 */
public final class VerbSelector {
  private final DeviceStatement.VerbFault statement;

  private VerbSelector(DeviceStatement.VerbFault statement) {
    this.statement = statement;
  }

  /**
   * All calls of a verb, of any device.
   *
   * @param verb name of the C function
   * @param errno what it returns
   * @return these calls
   */
  public static VerbSelector of(String verb, Errno errno) {
    return new VerbSelector(
        new DeviceStatement.VerbFault(
            new MatchCount.All(), verb, null, errno, Condition.During.ALWAYS));
  }

  /**
   * Each of these with a probability.
   *
   * @param probability 0 to 1
   * @return a share of these calls
   */
  public VerbSelector share(double probability) {
    return with(new MatchCount.Probability(probability), statement.host(), statement.during());
  }

  /**
   * One of these.
   *
   * @param number which, from 1
   * @return that call
   */
  public VerbSelector nth(long number) {
    return with(new MatchCount.Range(number, number), statement.host(), statement.during());
  }

  /**
   * Those of these whose number is a multiple.
   *
   * @param step of what, from 1
   * @return every second, every third and so on
   */
  public VerbSelector every(long step) {
    return with(new MatchCount.Every(step), statement.host(), statement.during());
  }

  /**
   * Those of these on a device.
   *
   * @param host an IP address of it
   * @return fewer calls
   * @throws IllegalArgumentException if it is no IP address
   */
  public VerbSelector on(String host) {
    return with(statement.amount(), IpAddress.parse(host), statement.during());
  }

  /**
   * Those of these at a time.
   *
   * @param faultWindow that time
   * @return fewer calls
   */
  public VerbSelector at(FaultWindow faultWindow) {
    return with(statement.amount(), statement.host(), faultWindow.during());
  }

  private VerbSelector with(
      MatchCount amount, @Nullable InetAddress host, Condition.During during) {
    return new VerbSelector(
        new DeviceStatement.VerbFault(amount, statement.verb(), host, statement.errno(), during));
  }

  DeviceStatement.VerbFault statement() {
    return statement;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof VerbSelector that && statement.equals(that.statement);
  }

  @Override
  public int hashCode() {
    return statement.hashCode();
  }

  /** As a plan says it. */
  @Override
  public String toString() {
    return statement.toString();
  }
}
