// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import static io.queuepair.emulator.observe.TestHosts.A;
import static io.queuepair.emulator.observe.TestHosts.B;
import static io.queuepair.emulator.observe.TestHosts.route;
import static io.queuepair.emulator.observe.TestPackets.acknowledge;
import static io.queuepair.emulator.observe.TestPackets.delivery;
import static io.queuepair.emulator.observe.TestPackets.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.PacketEnvelope;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.observe.CaptureReader.ReadFrame;
import io.queuepair.emulator.observe.PacketObserver.ObservedPacket;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.Packet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PcapngCaptureTest {
  @TempDir private Path directory;

  private Path file() {
    return directory.resolve("capture.pcapng");
  }

  /** A network in virtual time whose capture goes to {@link #file}. */
  private Fabric capture() {
    return PcapngCapture.to(file(), InMemoryFabric.virtualTime());
  }

  @Test
  void fileSaysWhoWroteItAndInWhichUnits() {
    try (Fabric fabric = capture()) {
      Recorder.at(fabric, A).send(delivery(send(route(A, B), 1, 8)));
    }

    CaptureReader capture = CaptureReader.read(file());
    assertThat(capture.blockTypes()).containsExactly(0x0a0d0d0a, 1, 6);
    // magic, version 1.0, section length unknown, option 4 (application) of 9 bytes
    assertThat(capture.sectionHeader().getInt(0)).isEqualTo(0x1a2b3c4d);
    assertThat(capture.sectionHeader().getInt(4)).isEqualTo(0x0001_0000);
    assertThat(capture.sectionHeader().getLong(8)).isEqualTo(-1);
    assertThat(capture.sectionHeader().getInt(16)).isEqualTo(0x0004_0009);
    assertThat(StandardCharsets.UTF_8.decode(capture.sectionHeader().slice(20, 9)).toString())
        .isEqualTo("Queuepair");
    // link type Ethernet, no snap length, option 2 (if_name) of 8 bytes, option 9 (if_tsresol) of
    // 1 byte: nanoseconds
    ByteBuffer port = capture.interfaces().get(0);
    assertThat(port.getShort(0)).isEqualTo((short) 1);
    assertThat(port.getInt(4)).isZero();
    assertThat(port.getInt(8)).isEqualTo(0x0002_0008);
    assertThat(StandardCharsets.UTF_8.decode(port.slice(12, 8)).toString()).isEqualTo("10.0.0.1");
    assertThat(port.getInt(20)).isEqualTo(0x0009_0001);
    assertThat(port.get(24)).isEqualTo((byte) 9);
  }

  @Test
  void framesSayByWhichPortTheyWentOutOrCameIn() {
    try (Fabric fabric = capture()) {
      Recorder a = Recorder.at(fabric, A);
      Recorder b = Recorder.at(fabric, B);
      a.send(delivery(send(route(A, B), 1, 8)));
      fabric.scheduler().runNext();
      b.send(delivery(acknowledge(route(B, A), 1, Aeth.ack(1))));
      fabric.scheduler().runNext();
      fabric.handOver(A, a, List.of(delivery(acknowledge(route(B, A), 2, Aeth.ack(2)))), "forged");
    }

    // The flags of a packet say 1 for inbound and 2 for outbound.
    assertThat(CaptureReader.read(file()).frames())
        .extracting(frame -> frame.port() + " " + frame.flags())
        .containsExactly(
            A.getHostAddress() + " 2", B.getHostAddress() + " 2", A.getHostAddress() + " 1");
  }

  @Test
  void framesOfApplicationsAreWrittenAsTheyAre() throws IOException {
    byte[] bytes = "eighteen bytes: 18".getBytes(StandardCharsets.US_ASCII);

    try (Fabric fabric = capture()) {
      Recorder a = Recorder.at(fabric, A);
      Recorder.at(fabric, B);
      fabric.joinSegment(A);
      fabric.joinSegment(B);
      a.send(new io.queuepair.emulator.fabric.Frame(A, ByteBuffer.wrap(bytes)));
      fabric.scheduler().runNext();
    }

    // One block behind the header blocks: 28 bytes, the frame, two of padding, twelve of options,
    // the length again.
    byte[] written = Files.readAllBytes(file());
    int block = written.length - 28 - 18 - 2 - 12 - 4;
    assertThat(ByteBuffer.wrap(written).getInt(block)).isEqualTo(6);
    assertThat(ByteBuffer.wrap(written).getInt(block + 20)).isEqualTo(18);
    assertThat(Arrays.copyOfRange(written, block + 28, block + 46)).isEqualTo(bytes);
  }

  @Test
  void packetsAreFramesWithTheIcrcOfTheirHeaders() {
    Packet request = send(route(A, B), 100, 61);
    Packet answer = acknowledge(route(B, A), 100, Aeth.ack(1));

    try (Fabric fabric = capture()) {
      Recorder a = Recorder.at(fabric, A);
      Recorder b = Recorder.at(fabric, B);
      a.send(delivery(request));
      fabric.scheduler().runNext();
      b.send(delivery(answer));
    }

    CaptureReader capture = CaptureReader.read(file());
    assertThat(capture.frames()).extracting(ReadFrame::packet).containsExactly(request, answer);
    assertThat(capture.frames()).allMatch(ReadFrame::hasExactIcrc);
    assertThat(capture.frames()).extracting(ReadFrame::time).containsExactly(0L, 1_000L);
  }

  @Test
  void aThreadThatIsInterruptedDoesNotEndTheCapture() {
    Packet first = send(route(A, B), 1, 8);
    Packet second = send(route(A, B), 2, 8);

    try (Fabric fabric = capture()) {
      Recorder a = Recorder.at(fabric, A);
      Recorder.at(fabric, B);
      Thread.currentThread().interrupt();
      a.send(delivery(first));
      fabric.scheduler().runNext();
      a.send(delivery(second));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }

    assertThat(CaptureReader.read(file()).frames())
        .extracting(ReadFrame::packet)
        .containsExactly(first, second);
  }

  @Test
  void segmentsOfABurstHaveTheirIdentification() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PcapngRecorder capture = new PcapngRecorder(PcapngWriter.begin(bytes), 0, PcapngRecorder::warn);
    Packet first = send(route(A, B), 1, 32);
    Packet second = send(route(A, B), 2, 32);
    Packet last = send(route(A, B), 3, 7);

    new ObservedFabric(InMemoryFabric.virtualTime(), capture)
        .sent(A, TestPackets.burst(ByteBuffer.allocate(1_000), first, second, last), null);
    capture.close();

    CaptureReader read = CaptureReader.read(bytes.toByteArray());
    assertThat(read.frames()).extracting(ReadFrame::packet).containsExactly(first, second, last);
    assertThat(read.frames())
        .extracting(frame -> frame.ethernet().identification())
        .containsExactly(0, 1, 2);
    assertThat(read.frames()).allMatch(ReadFrame::hasExactIcrc);
  }

  @Test
  void corruptedDatagramIsCapturedAsItIs() {
    Fabric exact = InMemoryFabric.create(InMemoryOptions.virtualTime().withWireExact(true));

    try (Fabric fabric = PcapngCapture.to(file(), exact)) {
      Recorder a = Recorder.at(fabric, A);
      DatagramBurst burst = TestPackets.burst(a.link().borrow(), send(route(A, B), 1, 8));
      burst.bytes().put(12, (byte) 1);
      a.send(burst);
    }

    ReadFrame frame = CaptureReader.read(file()).frames().get(0);
    assertThat(frame.hasExactIcrc()).isFalse();
    assertThat(frame.ethernet().udpPayload().length()).isEqualTo(24);
  }

  @Test
  void whatIsInTheFileIsNeverChanged() throws IOException {
    byte[] before;

    try (Fabric fabric = capture()) {
      before = Files.readAllBytes(file());
      Recorder a = Recorder.at(fabric, A);
      Recorder.at(fabric, B);
      for (int psn = 0; psn < 50; psn++) {
        a.send(delivery(send(route(A, B), psn, 5 + psn % 7)));
        if (psn % 3 == 0) {
          fabric.scheduler().runNext();
        }
        byte[] now = Files.readAllBytes(file());
        assertThat(now).startsWith(before);
        before = now;
      }
    }

    assertThat(Files.readAllBytes(file())).startsWith(before);
    assertThat(CaptureReader.read(file()).frames()).hasSize(50);
  }

  @Test
  void aPacketToAHostThatGoesAwayIsInTheFile() {
    try (Fabric fabric = capture()) {
      Recorder a = Recorder.at(fabric, A);
      Recorder b = Recorder.at(fabric, B);
      a.send(delivery(send(route(A, B), 1, 8)));
      b.link().close();

      assertThat(CaptureReader.read(file()).frames()).hasSize(1);
    }
  }

  /** Has no use for packets of some lengths. */
  private static final class Choosy implements Station {
    private Link link;

    @Override
    public void receive(List<? extends Traffic> traffic) {
      for (Traffic one : traffic) {
        int bytes = ((PacketEnvelope) one).packet().payloadBytes();
        if (bytes != 9) {
          link.annotate(Link.NoteSubject.UNUSED, one, 0, "no use for " + bytes + " bytes");
        }
      }
    }

    @Override
    public void transmit() {}
  }

  @Test
  void aFrameSaysWhyItsPacketWasDropped() {
    Path file = directory.resolve("comments.pcapng");
    Packet noted = send(route(A, B), 2, 8).withNote("first words");

    try (Fabric fabric = PcapngCapture.to(file, InMemoryFabric.virtualTime())) {
      Recorder a = Recorder.at(fabric, A);
      Choosy b = new Choosy();
      b.link = fabric.attach(B, b);
      a.send(delivery(send(route(A, B), 1, 7)), delivery(noted));
      a.send(delivery(send(route(A, B), 3, 9)), delivery(send(route(A, B), 1, 7)));
      while (fabric.scheduler().runNext()) {
        assertThat(CaptureReader.read(file).frames()).isNotEmpty();
      }
    }

    try (CaptureFile capture = CaptureFile.open(file)) {
      String host = "dropped by " + B.getHostAddress() + ": ";
      String why = host + "no use for 7 bytes";
      assertThat(capture.next().orElseThrow().comments()).containsExactly(why);
      assertThat(capture.next().orElseThrow().comments())
          .containsExactly("first words", host + "no use for 8 bytes");
      assertThat(capture.next().orElseThrow().comments()).isEmpty();
      assertThat(capture.next().orElseThrow().comments()).containsExactly(why);
      assertThat(capture.next()).isEmpty();
    }
  }

  @Test
  void nextFrameSaysWhatCannotBeSaidOfTheOwn() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PcapngRecorder capture = new PcapngRecorder(PcapngWriter.begin(bytes), 0, PcapngRecorder::warn);

    capture.arrived(B, PacketKey.of(send(route(A, B), 1, 8)), "no use");
    capture.packet(leaves(3), send(route(A, B), 2, 8), null);
    capture.close();

    Files.write(file(), bytes.toByteArray());
    try (CaptureFile read = CaptureFile.open(file())) {
      assertThat(read.next().orElseThrow().comments())
          .containsExactly(B.getHostAddress() + ": dropped a packet: no use");
    }
  }

  private static ObservedPacket leaves(long nowNanos) {
    return new ObservedPacket(nowNanos, A, false, false);
  }

  @Test
  void realTimeIsThatOfTheWallClock() {
    long before = Instant.now().getEpochSecond();

    try (Fabric fabric = PcapngCapture.to(file(), InMemoryFabric.realTime())) {
      Recorder.at(fabric, A).send(delivery(send(route(A, B), 1, 8)));
    }

    long captured =
        TimeUnit.NANOSECONDS.toSeconds(CaptureReader.read(file()).frames().get(0).time());
    assertThat(captured).isBetween(before - 1, Instant.now().getEpochSecond() + 1);
  }

  @Test
  void fileThatCannotBeCreatedIsRefusedAtOnce() {
    Path missing = directory.resolve("missing").resolve("file.pcapng");
    Fabric network = InMemoryFabric.virtualTime();

    assertThatThrownBy(() -> PcapngCapture.to(missing, network))
        .isInstanceOf(FabricException.class)
        .hasMessage(
            "The capture file " + missing + " cannot be written: No such file or directory.");
  }

  @Test
  void trafficGoesOnWhenTheDiskIsFull() throws IOException {
    FullDisk disk = new FullDisk(200);
    PcapngRecorder capture = new PcapngRecorder(PcapngWriter.begin(disk), 0, PcapngRecorder::warn);
    Fabric fabric = new ObservedFabric(InMemoryFabric.virtualTime(), capture);
    Recorder a = Recorder.at(fabric, A);
    Recorder b = Recorder.at(fabric, B);

    a.send(delivery(send(route(A, B), 1, 8)));
    a.send(delivery(send(route(A, B), 2, 500)));
    while (fabric.scheduler().runNext()) {
      assertThat(b.received()).isNotEmpty();
    }
    int refusals = disk.refusals();
    a.send(delivery(send(route(A, B), 3, 8)));
    fabric.scheduler().runNext();
    fabric.close();

    assertThat(b.received()).hasSize(3);
    assertThat(refusals).isPositive();
    assertThat(disk.refusals()).as("the capture gave up").isEqualTo(refusals);
  }

  @Test
  void anEarlyEndIsToldOnce() throws IOException {
    List<String> causes = new ArrayList<>();
    PcapngRecorder capture =
        new PcapngRecorder(
            PcapngWriter.begin(new FullDisk(200)), 0, cause -> causes.add(cause.getMessage()));

    capture.packet(leaves(0), send(route(A, B), 1, 500), null);
    capture.flush(0);
    capture.packet(leaves(0), send(route(A, B), 2, 500), null);
    capture.close();

    assertThat(causes).containsExactly("No space left on device");
  }

  @Test
  void whatIsLeftAtAnEarlyEndIsReadable() throws IOException {
    Path path = directory.resolve("early.pcapng");
    PcapngWriter file = PcapngWriter.create(path);
    file.add(0, new PendingPacket(leaves(0), new byte[60], null));
    file.flush();
    long whole = Files.size(path);
    file.add(0, new PendingPacket(leaves(0), new byte[61], null));
    file.flush();
    cut(path, Files.size(path) - 5);

    file.endEarly();

    assertThat(path).hasSize(whole);
  }

  private static void cut(Path path, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
    }
  }

  private final PendingFrames frames = new PendingFrames();

  private static PendingPacket underWay(int psn) {
    ObservedPacket seen = new ObservedPacket(0, A, false, true);
    return new PendingPacket(seen, new byte[0], key(psn));
  }

  private static PacketKey key(int psn) {
    return PacketKey.of(send(route(A, B), psn, 8));
  }

  private PendingPacket added(PendingPacket frame) {
    frames.add(frame);
    return frame;
  }

  @Test
  void aFrameWaitsForTheFateOfItsPacketAndSoDoThoseBehindIt() {
    PendingPacket first = added(underWay(1));
    PendingPacket second = added(underWay(2));

    assertThat(frames.arrived(key(2))).isSameAs(second);
    assertThat(frames.next(0)).isNull();
    assertThat(frames.arrived(key(1))).isSameAs(first);
    assertThat(frames.next(0)).isSameAs(first);
    assertThat(frames.next(0)).isSameAs(second);
    assertThat(frames.next(0)).isNull();
  }

  @Test
  void ofEqualPacketsTheFirstArrivesFirst() {
    PendingPacket first = added(underWay(1));
    PendingPacket again = added(underWay(1));

    assertThat(frames.arrived(key(1))).isSameAs(first);
    assertThat(frames.arrived(key(1))).isSameAs(again);
    assertThat(frames.arrived(key(1))).isNull();
  }

  @Test
  void packetsThatDifferInLengthOrDirectionAreTwo() {
    Packet there = send(route(A, B), 1, 8);

    assertThat(PacketKey.of(there)).isNotEqualTo(PacketKey.of(send(route(B, A), 1, 8)));
    assertThat(PacketKey.of(there)).isNotEqualTo(PacketKey.of(send(route(A, B), 1, 12)));
    assertThat(PacketKey.of(there)).isEqualTo(PacketKey.of(send(route(A, B), 1, 8)));
  }

  @Test
  void aFrameWaitsNoLongerThanASecond() {
    PendingPacket lost = added(underWay(1));

    assertThat(frames.next(PendingFrames.LONGEST_WAIT_NANOS - 1)).isNull();
    assertThat(frames.next(PendingFrames.LONGEST_WAIT_NANOS)).isSameAs(lost);
    assertThat(frames.arrived(key(1))).isNull();
  }

  @Test
  void onlySoManyFramesWait() {
    PendingPacket lost = added(underWay(0));
    for (int psn = 1; psn < PendingFrames.LIMIT; psn++) {
      frames.add(underWay(psn));
    }

    assertThat(frames.next(0)).isNull();
    frames.add(underWay(PendingFrames.LIMIT));
    assertThat(frames.next(0)).isSameAs(lost);
    assertThat(frames.next(0)).isNull();
  }

  /** Takes some bytes and refuses the rest. */
  private static final class FullDisk extends OutputStream {
    private int bytesLeft;
    private int refusals;

    FullDisk(int bytesLeft) {
      this.bytesLeft = bytesLeft;
    }

    int refusals() {
      return refusals;
    }

    @Override
    public void write(int oneByte) throws IOException {
      if (bytesLeft == 0) {
        refusals++;
        throw new IOException("No space left on device");
      }
      bytesLeft--;
    }
  }
}
