// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.wire.EthernetFrame;
import io.queuepair.emulator.wire.LinkType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the RoCEv2 packets of a capture file, one after the other: what {@link PcapngCapture},
 * Wireshark and tcpdump write (pcapng, and pcap with micro- or nanoseconds, of either byte order,
 * also compressed with gzip). Frames may be Ethernet with or without VLAN tags, IP alone, Linux
 * "cooked" or BSD loopback. Memory is bounded whatever the file holds: only the present packet is
 * kept.
 *
 * <p>Not thread-safe.
 */
public final class CaptureFile implements AutoCloseable {
  private static final int BEGINNING_BYTES = 8;

  // Link types that may hold RDMA packets but are not read.
  private static final int ERF = 197;
  private static final int INFINIBAND = 247;

  private final CaptureInput input;
  private final FrameReader frames;
  private final PacketDecoder decoder = new PacketDecoder();
  private long frameNumber;

  private final Map<String, Long> skipped = new LinkedHashMap<>();

  private CaptureFile(CaptureInput input) {
    this.input = input;
    frames = begin(input);
  }

  /**
   * Opens a file.
   *
   * @param file the file
   * @return its packets
   * @throws FabricException if it cannot be read or is no capture file
   */
  public static CaptureFile open(Path file) {
    try {
      return read(file.toString(), Files.newInputStream(file));
    } catch (IOException e) {
      String reason = CaptureInput.reasonOf(e);
      throw new FabricException(
          "The capture file " + file + " cannot be opened: " + reason + ".", e);
    }
  }

  /**
   * Reads a capture file from a stream.
   *
   * @param name name of the file in error messages
   * @param bytes its bytes, which {@link #close} closes
   * @return its packets
   * @throws FabricException if it cannot be read or is no capture file; the stream is closed then
   */
  public static CaptureFile read(String name, InputStream bytes) {
    CaptureFile captureFile = null;
    try {
      captureFile = new CaptureFile(new CaptureInput(name, bytes));
      return captureFile;
    } finally {
      if (captureFile == null) {
        closeUnusable(bytes);
      }
    }
  }

  private static void closeUnusable(InputStream bytes) {
    try {
      bytes.close();
    } catch (IOException e) {
      throw new FabricException(
          "A capture file that is none cannot be closed: " + CaptureInput.reasonOf(e), e);
    }
  }

  private static FrameReader begin(CaptureInput input) {
    ByteBuffer beginning = ByteBuffer.allocate(BEGINNING_BYTES);
    int count = input.read(beginning, BEGINNING_BYTES);
    int magic = beginning.getInt(0);
    if (count == BEGINNING_BYTES && magic == PcapngReader.SECTION_HEADER) {
      return new PcapngReader(input, beginning);
    }
    if (count == BEGINNING_BYTES && PcapReader.isBeginning(magic)) {
      return new PcapReader(input, beginning);
    }
    throw input.broken(0, "it begins as neither pcap nor pcapng does");
  }

  /**
   * The next RoCEv2 packet, which is any UDP datagram for port 4791; other frames are skipped.
   *
   * @return empty at the end of the file
   * @throws FabricException if the file is broken, or ends within a frame; the message says where
   */
  public Optional<PacketRecord> next() {
    for (CapturedFrame frame = frames.next(); frame != null; frame = frames.next()) {
      frameNumber++;
      LinkType linkType = LinkType.ofCode(frame.linkType());
      Optional<EthernetFrame> ethernetFrame =
          linkType == null
              ? Optional.empty()
              : linkType.find(frame.bytes(), 0, frame.bytes().limit());
      if (ethernetFrame.isPresent()) {
        return Optional.of(decoder.decode(frameNumber, frame, ethernetFrame.get()));
      }
      skipped.merge(kind(frame, linkType), 1L, Long::sum);
    }
    return Optional.empty();
  }

  private static String kind(CapturedFrame frame, @Nullable LinkType linkType) {
    if (linkType != null) {
      return linkType.skipped(frame.bytes(), frame.bytes().limit()).text();
    }
    String name =
        switch (frame.linkType()) {
          case INFINIBAND -> " (InfiniBand)";
          case ERF -> " (ERF)";
          default -> "";
        };
    return "link type " + frame.linkType() + name + ", which is not read";
  }

  /**
   * Counts skipped frames by kind: RoCE v1, fragments, VXLAN, ERSPAN, link types that are not read,
   * or something else.
   *
   * @return number of frames so far by kind, in words; kinds seen first are first
   */
  public Map<String, Long> skippedKinds() {
    return Collections.unmodifiableMap(new LinkedHashMap<>(skipped));
  }

  /**
   * Closes the file.
   *
   * @throws FabricException if that fails
   */
  @Override
  public void close() {
    try {
      input.close();
    } catch (IOException e) {
      throw new FabricException("A capture file cannot be closed: " + CaptureInput.reasonOf(e), e);
    }
  }
}
