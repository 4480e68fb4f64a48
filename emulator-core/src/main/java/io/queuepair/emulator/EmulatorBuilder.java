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
 * Settings of a new {@link Emulator}. Each has a default; setting one twice keeps the last. Not
 * thread-safe.
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
   * Sets the network, which {@link Emulator#close} closes. The default is a network of its own, in
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
   * Gives each device a {@linkplain DeviceProfile#sanitized(Consumer) sanitizer}, also devices that
   * are added with a profile; a profile that is sanitized already keeps its listener.
   *
   * @param newFindingListener called by the thread that finds the misuse, while the device is
   *     locked: it must not call the device
   * @return this builder
   */
  public EmulatorBuilder sanitized(Consumer<SanitizerFinding> newFindingListener) {
    findingListener = Objects.requireNonNull(newFindingListener, "listener");
    return this;
  }

  /**
   * Captures every packet in a file for Wireshark (pcapng): Ethernet, IP and UDP headers as on a
   * real wire, also of packets in memory. Packet comments say why a NAK was sent, that a request is
   * a retransmission, and why the receiving device dropped a packet.
   *
   * @param file created, or overwritten, by {@link #build}; complete when the emulator is closed
   * @return this builder
   */
  public EmulatorBuilder capture(Path file) {
    captureFile = Objects.requireNonNull(file, "file");
    return this;
  }

  /**
   * Sets the fault plan that is carried out from the start; {@link Emulator#injectFaults} adds
   * plans later.
   *
   * @param plan what goes wrong
   * @return this builder
   */
  public EmulatorBuilder faults(FaultPlan plan) {
    faults = Objects.requireNonNull(plan, "plan");
    return this;
  }

  /**
   * Sets the random seed of the {@linkplain #faults fault plan}, instead of the seed of the plan.
   * The same seed affects the same packets.
   *
   * @param newSeed any number
   * @return this builder
   */
  public EmulatorBuilder seed(long newSeed) {
    seed = OptionalLong.of(newSeed);
    return this;
  }

  /**
   * Treats it as an error if a statement of a fault plan is never carried out, or names a host that
   * no device has: a test of a failure that never happens proves nothing. {@link Emulator#close}
   * then throws an {@link IllegalStateException}, once everything is closed. The default is a
   * warning.
   *
   * @return this builder
   */
  public EmulatorBuilder strictFaults() {
    isStrict = true;
    return this;
  }

  /**
   * Sets the output of warnings about statements that were never carried out, and about unknown
   * hosts. The default is the log.
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
   * Sets the output of explanations: what devices refuse, drop or have no room for, where no
   * completion at that side explains it. These are requests of peers that are refused, with key,
   * address, length and the range of the region; datagrams and other packets that are dropped, with
   * the values that decided; completion queues that overran. Repeated packets and responses are
   * left out. A recurring sentence is given again at its 10th, 100th time and so on. By default no
   * explanations are made.
   *
   * @param output takes one sentence at a time, from any thread that uses a device or the network,
   *     without a lock; must not wait
   * @return this builder
   */
  public EmulatorBuilder explanations(Consumer<String> output) {
    explanations = Objects.requireNonNull(output, "output");
    return this;
  }

  DeviceProfile profile() {
    return profile;
  }

  /** Returns what adds the sanitizer of {@link #sanitized} to a profile, or the identity. */
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
   * Makes the emulator. A network is for one emulator only.
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
