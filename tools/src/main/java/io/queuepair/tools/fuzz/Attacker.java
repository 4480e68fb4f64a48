package io.queuepair.tools.fuzz;

import io.queuepair.emulator.fabric.Burst;
import io.queuepair.emulator.fabric.DatagramLayout;
import io.queuepair.emulator.fabric.DatagramSeal;
import io.queuepair.emulator.fabric.Frame;
import io.queuepair.tools.fuzz.Volley.Trouble;
import io.queuepair.verbs.QpType;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Chooses what the device is fired at with. */
final class Attacker {
  /** How far from what is expected a PSN still counts as near. */
  private static final int NEAR = 16;

  private static final int PSN_MASK = 0xff_ffff;
  private static final int SOURCE_PORT = 0xc123;
  private static final int MOST_SHOTS = 12;

  /** What arrives at once: more would mostly be dropped behind the first that is refused. */
  private static final int MOST_TOGETHER = 6;

  private final Chance chance;
  private final Target target;
  private final Addresses addresses;
  private final RequestForge requests;
  private final ResponseForge responses;
  private final Mutator mutator;
  private final DatagramSeal seal = new DatagramSeal();
  private final List<Victim> receivers = new ArrayList<>();
  private final List<Victim> senders = new ArrayList<>();

  Attacker(Chance chance, Target target, Addresses addresses) {
    this.chance = chance;
    this.target = target;
    this.addresses = addresses;
    requests = new RequestForge(chance, target);
    responses = new ResponseForge(chance);
    mutator = new Mutator(chance);
    for (Victim victim : target.victims()) {
      if (victim.type() == QpType.RC || victim.type() == QpType.XRC_SEND) {
        senders.add(victim);
      }
      if (victim.type() != QpType.RAW_PACKET && victim.type() != QpType.XRC_SEND) {
        receivers.add(victim);
      }
    }
  }

  /** The next datagrams. */
  Volley next() {
    int choice = chance.below(100);
    if (choice < 55) {
      Victim victim = chance.one(receivers);
      int most = victim.isActive() ? MOST_SHOTS : 1;
      return requests(victim, 1 + chance.below(most), Trouble.NONE);
    }
    if (choice < 70) {
      return responses(chance.one(senders));
    }
    if (choice < 82) {
      return mutated();
    }
    if (choice < 87) {
      return anyOpcode(chance.one(target.victims()));
    }
    return choice < 91 ? garbage() : special(choice);
  }

  private Volley special(int choice) {
    return switch (choice) {
      case 91, 92 -> misdirected();
      case 93 -> toGroup();
      case 94 -> frames();
      case 95 -> requests(chance.one(receivers), 1, Trouble.PORT_DOWN);
      case 96 -> requests(target.roles().moving(), 2, Trouble.ADDRESS_GONE);
      default -> sniffed();
    };
  }

  private Volley sniffed() {
    prepare(target.roles().sniffer());
    return requests(chance.one(receivers), 2, Trouble.SNIFFED);
  }

  private void prepare(Victim victim) {
    victim.prepare(chance.random());
  }

  private Volley requests(Victim victim, int count, Trouble trouble) {
    prepare(victim);
    List<Shot> shots = new ArrayList<>();
    int psn = victim.expectedPsn();
    for (int i = 0; i < count; i++) {
      int shift = chance.of(90) ? 0 : chance.below(12) - 8;
      RequestForge.Forged forged = requests.next(victim, psn + shift);
      shots.add(shot(victim, forged.draft().bytes(), true, victim.expectedPsn()));
      psn += shift == 0 ? forged.psns() : 0;
    }
    boolean isTogether = trouble == Trouble.NONE && count <= MOST_TOGETHER;
    return new Volley(shots, isTogether, trouble);
  }

  private Volley responses(Victim victim) {
    prepare(victim);
    List<Shot> shots = new ArrayList<>();
    int requests = 1 + chance.below(4);
    for (int i = 0; i < requests; i++) {
      for (Draft draft : responses.answer(victim)) {
        int psn = Draft.psnOf(draft.bytes());
        shots.add(shot(victim, draft.bytes(), true, psn));
      }
    }
    return new Volley(shots, chance.of(50), Trouble.NONE);
  }

  private Volley mutated() {
    boolean isResponse = chance.of(25);
    Victim victim = chance.one(isResponse ? senders : receivers);
    prepare(victim);
    List<Shot> shots = new ArrayList<>();
    int count = 1 + chance.below(6);
    for (int i = 0; i < count; i++) {
      Draft draft =
          isResponse
              ? responses.answer(victim).get(0)
              : requests.next(victim, victim.expectedPsn()).draft();
      int psn = Draft.psnOf(draft.bytes());
      victim.nowIn(null, 0);
      shots.add(shot(victim, mutator.mutated(draft.bytes()), chance.of(65), psn));
    }
    return new Volley(shots, false, Trouble.NONE);
  }

  private Volley anyOpcode(Victim victim) {
    prepare(victim);
    DatagramLayout layout = chance.one(Draft.layouts());
    Draft draft = Draft.of(layout.name(), chance.bytes(chance.below(Hookup.MTU.bytes() + 1)));
    for (int at = Draft.BTH_BYTES; at < layout.headerBytes(); at++) {
      draft.bytes().put(at, (byte) chance.any());
    }
    int psn = victim.expectedPsn();
    draft.to(victim.qp().qpNum(), psn + chance.below(5) - 2, chance.of(50));
    return new Volley(List.of(shot(victim, draft.bytes(), true, psn)), false, Trouble.NONE);
  }

  private Volley garbage() {
    Victim victim = chance.one(receivers);
    return new Volley(
        List.of(shot(victim, mutator.garbage(), chance.of(50), 0)), false, Trouble.NONE);
  }

  /** A good request to nobody, from nobody, into another partition or, of UD, to another port. */
  private Volley misdirected() {
    Victim victim = chance.one(receivers);
    prepare(victim);
    Draft draft = requests.next(victim, victim.expectedPsn()).draft();
    victim.nowIn(null, 0);
    int psn = victim.expectedPsn();
    InetAddress source = addresses.phantom();
    InetAddress destination = addresses.of(victim);
    switch (chance.below(4)) {
      case 0 -> draft.to(0, psn, true);
      case 1 -> draft.to(chance.any(), psn, true);
      case 2 -> draft.pkey(chance.any());
      default -> {
        // Datagrams may come from anybody, but to the port of their queue pair only.
        source = addresses.stranger();
        destination = victim.type() == QpType.UD ? addresses.ofPort2() : destination;
      }
    }
    boolean isNear = Draft.qpnOf(draft.bytes()) == victim.qp().qpNum();
    Burst burst = sealed(source, destination, draft.bytes());
    return new Volley(List.of(new Shot(burst, isNear)), false, Trouble.NONE);
  }

  private Volley toGroup() {
    Victim member = target.roles().member();
    prepare(member);
    Draft draft = requests.next(member, 0).draft().to(0xff_ffff, chance.any(), false);
    InetAddress group = chance.of(70) ? addresses.group() : addresses.otherGroup();
    Burst burst = sealed(addresses.phantom(), group, draft.bytes());
    return new Volley(List.of(new Shot(burst, false)), false, Trouble.NONE);
  }

  private Volley frames() {
    prepare(target.roles().raw());
    ByteBuffer bytes = ByteBuffer.wrap(chance.bytes(1 + chance.below(1_500)));
    if (chance.of(70) && bytes.limit() > 14) {
      bytes.putLong(0, -1L).putShort(12, (short) (chance.of(50) ? 0x0800 : 0x86dd));
      bytes.put(14, (byte) (chance.of(50) ? 0x45 : chance.any()));
    }
    Frame frame = new Frame(addresses.phantom(), bytes.asReadOnlyBuffer());
    return new Volley(List.of(new Shot(frame, false)), false, Trouble.NONE);
  }

  /** A datagram to a victim, sealed or as it is. */
  private Shot shot(Victim victim, ByteBuffer bytes, boolean isSealed, int expectedPsn) {
    int length = bytes.limit();
    if (!isSealed || length < Draft.BTH_BYTES + Draft.ICRC_BYTES) {
      return new Shot(
          new Burst(addresses.phantom(), SOURCE_PORT, addresses.of(victim), bytes, length), false);
    }
    boolean isNear =
        Draft.qpnOf(bytes) == victim.qp().qpNum()
            && (victim.type() == QpType.UD || isNear(Draft.psnOf(bytes), expectedPsn));
    return new Shot(sealed(addresses.phantom(), addresses.of(victim), bytes), isNear);
  }

  private static boolean isNear(int psn, int expected) {
    return (psn - expected + NEAR & PSN_MASK) <= 2 * NEAR;
  }

  private Burst sealed(InetAddress source, InetAddress destination, ByteBuffer bytes) {
    removeSecrets(bytes);
    seal.seal(source, destination, SOURCE_PORT, bytes);
    return new Burst(source, SOURCE_PORT, destination, bytes, bytes.limit());
  }

  /** What peers may write they may read: it must not look like what they must not read. */
  private static void removeSecrets(ByteBuffer bytes) {
    DatagramLayout layout = Draft.layoutOf(bytes);
    int from = layout == null ? bytes.limit() : layout.headerBytes();
    for (int at = from; at < bytes.limit(); at++) {
      bytes.put(at, Chance.harmless(bytes.get(at)));
    }
  }
}
