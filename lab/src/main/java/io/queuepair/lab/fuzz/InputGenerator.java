// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.DatagramLayout;
import io.queuepair.emulator.fabric.Frame;
import io.queuepair.emulator.fabric.IcrcWriter;
import io.queuepair.lab.fuzz.InputSequence.InputFailure;
import io.queuepair.verbs.QpType;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Chooses what the device is fired at with. */
final class InputGenerator {
  /** How far from what is expected a PSN still counts as near. */
  private static final int NEAR = 16;

  private static final int PSN_MASK = 0xff_ffff;
  private static final int SOURCE_PORT = 0xc123;
  private static final int MOST_SHOTS = 12;
  static final int GSI_QPN = 1;
  private static final int GSI_QKEY = 0x8001_0000;

  /** What arrives at once: more would mostly be dropped behind the first that is refused. */
  private static final int MOST_TOGETHER = 6;

  private final FuzzRandom random;
  private final DeviceUnderTest target;
  private final FuzzAddresses addresses;
  private final RequestGenerator requests;
  private final ResponseGenerator responses;
  private final ManagementForge management;
  private final Mutator mutator;
  private final IcrcWriter seal = new IcrcWriter();
  private final List<QpUnderTest> receivers = new ArrayList<>();
  private final List<QpUnderTest> senders = new ArrayList<>();

  InputGenerator(FuzzRandom random, DeviceUnderTest target, FuzzAddresses addresses) {
    this.random = random;
    this.target = target;
    this.addresses = addresses;
    requests = new RequestGenerator(random, target);
    responses = new ResponseGenerator(random);
    management = new ManagementForge(random, addresses);
    mutator = new Mutator(random);
    for (QpUnderTest subject : target.subjects()) {
      if (subject.type() == QpType.RC || subject.type() == QpType.XRC_SEND) {
        senders.add(subject);
      }
      if (subject.type() != QpType.RAW_PACKET && subject.type() != QpType.XRC_SEND) {
        receivers.add(subject);
      }
    }
  }

  /** The next datagrams. */
  InputSequence next() {
    int choice = random.below(100);
    if (choice < 55) {
      QpUnderTest subject = random.one(receivers);
      int most = subject.isActive() ? MOST_SHOTS : 1;
      return requests(subject, 1 + random.below(most), InputFailure.NONE);
    }
    if (choice < 70) {
      return responses(random.one(senders));
    }
    if (choice < 82) {
      return mutated();
    }
    if (choice < 87) {
      return anyOpcode(random.one(target.subjects()));
    }
    return choice < 91 ? garbage() : special(choice);
  }

  private InputSequence special(int choice) {
    return switch (choice) {
      case 91, 92 -> misdirected();
      case 93 -> toGroup();
      case 94 -> frames();
      case 95 -> requests(random.one(receivers), 1, InputFailure.PORT_DOWN);
      case 96 -> requests(target.roles().moving(), 2, InputFailure.ADDRESS_GONE);
      case 97, 98 -> management();
      default -> sniffed();
    };
  }

  /** Management datagrams to queue pair 1. */
  private InputSequence management() {
    List<Input> shots = new ArrayList<>();
    for (ForgedMad mad : management.next(MOST_TOGETHER)) {
      DatagramBuilder draft = DatagramBuilder.of("UD_SEND_ONLY", mad.payload().array());
      draft.put("DETH", 0, random.of(90) ? GSI_QKEY : random.any()).put("DETH", 4, GSI_QPN);
      draft.to(GSI_QPN, random.any(), false);
      DatagramBurst burst = sealed(mad.source(), addresses.target(), draft.bytes());
      shots.add(new Input(burst, false));
    }
    return new InputSequence(shots, random.of(50), InputFailure.NONE);
  }

  /** The device under fire sent a management datagram to the simulated peer. */
  void heardManagement(ByteBuffer payload) {
    management.heard(payload);
  }

  /** The device under fire sent a management datagram to its neighbour. */
  void overheardManagement(ByteBuffer payload) {
    management.overheard(payload);
  }

  private InputSequence sniffed() {
    prepare(target.roles().sniffer());
    return requests(random.one(receivers), 2, InputFailure.SNIFFED);
  }

  private void prepare(QpUnderTest subject) {
    subject.prepare(random.random());
  }

  private InputSequence requests(QpUnderTest subject, int count, InputFailure trouble) {
    prepare(subject);
    List<Input> shots = new ArrayList<>();
    int psn = subject.expectedPsn();
    for (int i = 0; i < count; i++) {
      int shift = random.of(90) ? 0 : random.below(12) - 8;
      RequestGenerator.GeneratedRequest forged = requests.next(subject, psn + shift);
      shots.add(shot(subject, forged.draft().bytes(), true, subject.expectedPsn()));
      psn += shift == 0 ? forged.psns() : 0;
    }
    boolean isTogether = trouble == InputFailure.NONE && count <= MOST_TOGETHER;
    return new InputSequence(shots, isTogether, trouble);
  }

  private InputSequence responses(QpUnderTest subject) {
    prepare(subject);
    List<Input> shots = new ArrayList<>();
    int requests = 1 + random.below(4);
    for (int i = 0; i < requests; i++) {
      for (DatagramBuilder draft : responses.answer(subject)) {
        int psn = DatagramBuilder.psnOf(draft.bytes());
        shots.add(shot(subject, draft.bytes(), true, psn));
      }
    }
    return new InputSequence(shots, random.of(50), InputFailure.NONE);
  }

  private InputSequence mutated() {
    boolean isResponse = random.of(25);
    QpUnderTest subject = random.one(isResponse ? senders : receivers);
    prepare(subject);
    List<Input> shots = new ArrayList<>();
    int count = 1 + random.below(6);
    for (int i = 0; i < count; i++) {
      DatagramBuilder draft =
          isResponse
              ? responses.answer(subject).get(0)
              : requests.next(subject, subject.expectedPsn()).draft();
      int psn = DatagramBuilder.psnOf(draft.bytes());
      subject.nowIn(null, 0);
      shots.add(shot(subject, mutator.mutated(draft.bytes()), random.of(65), psn));
    }
    return new InputSequence(shots, false, InputFailure.NONE);
  }

  private InputSequence anyOpcode(QpUnderTest subject) {
    prepare(subject);
    DatagramLayout layout = random.one(DatagramBuilder.layouts());
    DatagramBuilder draft =
        DatagramBuilder.of(layout.name(), random.bytes(random.below(QpConfig.MTU.bytes() + 1)));
    for (int at = DatagramBuilder.BTH_BYTES; at < layout.headerBytes(); at++) {
      draft.bytes().put(at, (byte) random.any());
    }
    int psn = subject.expectedPsn();
    draft.to(subject.qp().qpNum(), psn + random.below(5) - 2, random.of(50));
    return new InputSequence(
        List.of(shot(subject, draft.bytes(), true, psn)), false, InputFailure.NONE);
  }

  private InputSequence garbage() {
    QpUnderTest subject = random.one(receivers);
    return new InputSequence(
        List.of(shot(subject, mutator.garbage(), random.of(50), 0)), false, InputFailure.NONE);
  }

  /**
   * A good request to an unknown address, from an unknown address, into another partition or, of
   * UD, to another port.
   */
  private InputSequence misdirected() {
    QpUnderTest subject = random.one(receivers);
    prepare(subject);
    DatagramBuilder draft = requests.next(subject, subject.expectedPsn()).draft();
    subject.nowIn(null, 0);
    int psn = subject.expectedPsn();
    InetAddress source = addresses.simulatedPeer();
    InetAddress destination = addresses.of(subject);
    switch (random.below(4)) {
      case 0 -> draft.to(0, psn, true);
      case 1 -> draft.to(random.any(), psn, true);
      case 2 -> draft.pkey(random.any());
      default -> {
        // Datagrams may come from anybody, but to the port of their queue pair only.
        source = addresses.stranger();
        destination = subject.type() == QpType.UD ? addresses.ofPort2() : destination;
      }
    }
    boolean isNear = DatagramBuilder.qpnOf(draft.bytes()) == subject.qp().qpNum();
    DatagramBurst burst = sealed(source, destination, draft.bytes());
    return new InputSequence(List.of(new Input(burst, isNear)), false, InputFailure.NONE);
  }

  private InputSequence toGroup() {
    QpUnderTest member = target.roles().member();
    prepare(member);
    DatagramBuilder draft = requests.next(member, 0).draft().to(0xff_ffff, random.any(), false);
    InetAddress group = random.of(70) ? addresses.group() : addresses.otherGroup();
    DatagramBurst burst = sealed(addresses.simulatedPeer(), group, draft.bytes());
    return new InputSequence(List.of(new Input(burst, false)), false, InputFailure.NONE);
  }

  private InputSequence frames() {
    prepare(target.roles().raw());
    ByteBuffer bytes = ByteBuffer.wrap(random.bytes(1 + random.below(1_500)));
    if (random.of(70) && bytes.limit() > 14) {
      bytes.putLong(0, -1L).putShort(12, (short) (random.of(50) ? 0x0800 : 0x86dd));
      bytes.put(14, (byte) (random.of(50) ? 0x45 : random.any()));
    }
    Frame frame = new Frame(addresses.simulatedPeer(), bytes.asReadOnlyBuffer());
    return new InputSequence(List.of(new Input(frame, false)), false, InputFailure.NONE);
  }

  /** A datagram to a queue pair under test, sealed or as it is. */
  private Input shot(QpUnderTest subject, ByteBuffer bytes, boolean isSealed, int expectedPsn) {
    int length = bytes.limit();
    if (!isSealed || length < DatagramBuilder.BTH_BYTES + DatagramBuilder.ICRC_BYTES) {
      return new Input(
          new DatagramBurst(
              addresses.simulatedPeer(), SOURCE_PORT, addresses.of(subject), bytes, length),
          false);
    }
    boolean isNear =
        DatagramBuilder.qpnOf(bytes) == subject.qp().qpNum()
            && (subject.type() == QpType.UD || isNear(DatagramBuilder.psnOf(bytes), expectedPsn));
    return new Input(sealed(addresses.simulatedPeer(), addresses.of(subject), bytes), isNear);
  }

  private static boolean isNear(int psn, int expected) {
    return (psn - expected + NEAR & PSN_MASK) <= 2 * NEAR;
  }

  private DatagramBurst sealed(InetAddress source, InetAddress destination, ByteBuffer bytes) {
    removeSecrets(bytes);
    seal.seal(source, destination, SOURCE_PORT, bytes);
    return new DatagramBurst(source, SOURCE_PORT, destination, bytes, bytes.limit());
  }

  /** What peers may write they may read: it must not look like what they must not read. */
  private static void removeSecrets(ByteBuffer bytes) {
    DatagramLayout layout = DatagramBuilder.layoutOf(bytes);
    int from = layout == null ? bytes.limit() : layout.headerBytes();
    for (int at = from; at < bytes.limit(); at++) {
      bytes.put(at, FuzzRandom.harmless(bytes.get(at)));
    }
  }
}
