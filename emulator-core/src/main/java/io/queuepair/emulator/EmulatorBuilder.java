// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.observe.PcapngCapture;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.SanitizerFinding;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of a new {@link Emulator}, which are complete before its first device. Each has a
 * default; setting one twice keeps the last. For one thread.
 *
 * <pre>{@code
 * try (Emulator emulator =
 *     Emulator.builder()
 *         .profile(DeviceProfile.standard().sanitized())
 *         .capture(Path.of("test.pcapng"))
 *         .faults(FaultPlan.parse("drop 1st RDMA_WRITE"))
 *         .build()) {
 *   ...
 * }
 * }</pre>
 */
public final class EmulatorBuilder {
  private static final Logger LOG = LoggerFactory.getLogger(Emulator.class);

  private @Nullable Fabric fabric;
  private String namePrefix = "qp";
  private DeviceProfile profile = DeviceProfile.standard();
  private @Nullable Consumer<SanitizerFinding> findingListener;
  private @Nullable Path captureFile;
  private FaultPlan faults = FaultPlan.none();
  private OptionalLong seed = OptionalLong.empty();
  private boolean isStrict;
  private Consumer<String> faultWarnings = LOG::warn;
  private @Nullable Consumer<String> explanations;

  EmulatorBuilder() {}

  /**
   * Sets the network, which the emulator closes in the end. The default is a network of its own, in
   * memory and in virtual time: {@link InMemoryFabric#virtualTime()}.
   *
   * @param newFabric the network
   * @return this builder
   */
  public EmulatorBuilder fabric(Fabric newFabric) {
    fabric = Objects.requireNonNull(newFabric, "fabric");
    return this;
  }

  /**
   * Sets what the names of devices begin with; a number from 0 follows. The default is {@code qp}.
   *
   * @param newNamePrefix such as {@code rxe}
   * @return this builder
   */
  public EmulatorBuilder namePrefix(String newNamePrefix) {
    namePrefix = Objects.requireNonNull(newNamePrefix, "namePrefix");
    return this;
  }

  /**
   * Sets the profile of devices that are {@linkplain Emulator#addDevice(String...) added} without
   * one. The default is {@link DeviceProfile#standard()}.
   *
   * @param newProfile which device to emulate
   * @return this builder
   */
  public EmulatorBuilder profile(DeviceProfile newProfile) {
    profile = Objects.requireNonNull(newProfile, "profile");
    return this;
  }

  /**
   * Gives each device a {@linkplain DeviceProfile#sanitized(Consumer) sanitizer}, also those that
   * are added with a profile; one that has a sanitizer keeps its listener.
   *
   * @param newFindingListener is called by the thread that finds the misuse, while the device is
   *     locked: it must not call the device
   * @return this builder
   */
  public EmulatorBuilder sanitized(Consumer<SanitizerFinding> newFindingListener) {
    findingListener = Objects.requireNonNull(newFindingListener, "listener");
    return this;
  }

  /**
   * Captures every packet in a file for Wireshark (pcapng): Ethernet, IP and UDP headers as on a
   * real wire, also of packets in memory. The comment of a packet says why a NAK was sent, that a
   * request is sent again, and why the device that received it dropped it.
   *
   * @param file created, or overwritten, by {@link #build}; complete when the emulator is closed
   * @return this builder
   */
  public EmulatorBuilder capture(Path file) {
    captureFile = Objects.requireNonNull(file, "file");
    return this;
  }

  /**
   * Sets what goes wrong from the start, as {@link Emulator#injectFaults} does later.
   *
   * @param plan what goes wrong
   * @return this builder
   */
  public EmulatorBuilder faults(FaultPlan plan) {
    faults = Objects.requireNonNull(plan, "plan");
    return this;
  }

  /**
   * Sets the seed of the probabilities of the {@linkplain #faults fault plan}, instead of the one
   * that it has: the same seed makes the same packets suffer.
   *
   * @param newSeed any number
   * @return this builder
   */
  public EmulatorBuilder seed(long newSeed) {
    seed = OptionalLong.of(newSeed);
    return this;
  }

  /**
   * Makes it an error if a statement of a fault plan is never carried out, or names a host that no
   * device has: a test of a failure that never happens proves nothing. {@link Emulator#close} then
   * throws an {@link IllegalStateException}, once everything is closed. Otherwise it is a warning.
   *
   * @return this builder
   */
  public EmulatorBuilder strictFaults() {
    isStrict = true;
    return this;
  }

  /**
   * Sets where warnings go of statements that were never carried out, and of unknown hosts. The
   * default is the log.
   *
   * @param output takes one sentence at a time, from {@link Emulator#injectFaults} and {@link
   *     Emulator#close}
   * @return this builder
   */
  public EmulatorBuilder faultWarnings(Consumer<String> output) {
    faultWarnings = Objects.requireNonNull(output, "output");
    return this;
  }

  /**
   * Sets where sentences go about what devices refuse, drop and have no room for, which no
   * completion explains at that side: requests of peers that are refused, with key, address, length
   * and the range of the region; datagrams and other packets that are dropped, with the numbers
   * that decided; completion queues that overran. Packets that are repeated, and responses, are
   * left out, and of a sentence that recurs the 10th, 100th time and so on are said. By default
   * they are not made.
   *
   * @param output takes one sentence at a time, from any thread that uses a device or the network,
   *     without a lock; must not wait
   * @return this builder
   */
  public EmulatorBuilder explanations(Consumer<String> output) {
    explanations = Objects.requireNonNull(output, "output");
    return this;
  }

  String namePrefix() {
    return namePrefix;
  }

  DeviceProfile profile() {
    return profile;
  }

  /** With the sanitizer that all devices have, if they have one. */
  UnaryOperator<DeviceProfile> sanitizing() {
    Consumer<SanitizerFinding> listener = findingListener;
    return listener == null
        ? UnaryOperator.identity()
        : added -> added.isSanitized() ? added : added.sanitized(listener);
  }

  boolean isStrict() {
    return isStrict;
  }

  @Nullable Consumer<String> explanations() {
    return explanations;
  }

  Consumer<String> faultWarnings() {
    return faultWarnings;
  }

  /**
   * Makes the emulator. Its network must not be given to another one.
   *
   * @return a new emulator, without devices
   * @throws io.queuepair.emulator.fabric.FabricException if the capture cannot be written; the
   *     network stays open
   */
  public Emulator build() {
    Fabric baseFabric = fabric == null ? InMemoryFabric.virtualTime() : fabric;
    Fabric capturedFabric =
        captureFile == null ? baseFabric : PcapngCapture.to(captureFile, baseFabric);
    FaultPlan plan = seed.isPresent() ? faults.withSeed(seed.getAsLong()) : faults;
    return new Emulator(capturedFabric, this).injectFaults(plan);
  }
}
