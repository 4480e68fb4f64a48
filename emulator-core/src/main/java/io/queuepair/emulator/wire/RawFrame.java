// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import io.queuepair.verbs.MacAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Ethernet frame from the destination address on, without frame check sequence: at least {@link
 * Ethernet#HEADER_BYTES}. Data after the header is read only as far as the length allows.
 */
public record RawFrame(Payload bytes) {
  public RawFrame {
    assert bytes.length() >= Ethernet.HEADER_BYTES : bytes;
    assert bytes.buffer().order() == ByteOrder.BIG_ENDIAN;
  }

  public MacAddress destination() {
    return Ethernet.readMac(buffer(), at(Ethernet.DESTINATION));
  }

  public MacAddress source() {
    return Ethernet.readMac(buffer(), at(Ethernet.SOURCE));
  }

  /** Whether a VLAN tag follows the addresses. */
  public boolean hasVlanTag() {
    return isTagged() && has(Ethernet.ETHERTYPE, Ethernet.VLAN_BYTES + 2);
  }

  /** Tag control information; only if there is a VLAN tag. */
  public int vlanTag() {
    return unsignedShort(Ethernet.ETHERTYPE + 2);
  }

  /** Length without the VLAN tag; only if there is a VLAN tag. */
  public int bytesWithoutTag() {
    return bytes.length() - Ethernet.VLAN_BYTES;
  }

  /** Destination and source address. */
  public Payload addresses() {
    return new Payload(buffer(), bytes.offset(), Ethernet.ETHERTYPE);
  }

  /** Bytes after the VLAN tag, the EtherType first; only if there is a VLAN tag. */
  public Payload behindTag() {
    int length = bytesWithoutTag() - Ethernet.ETHERTYPE;
    return new Payload(buffer(), at(Ethernet.ETHERTYPE + Ethernet.VLAN_BYTES), length);
  }

  /** EtherType after the addresses and the VLAN tag. */
  public int etherType() {
    return unsignedShort(typeAt());
  }

  /** IP packet after the header and the VLAN tag; null if there is none. */
  public @Nullable IpPacket ip() {
    return IpPacket.of(etherType(), bytes, typeAt() + 2);
  }

  private boolean isTagged() {
    return unsignedShort(Ethernet.ETHERTYPE) == Ethernet.TYPE_VLAN;
  }

  private int typeAt() {
    return hasVlanTag() ? Ethernet.ETHERTYPE + Ethernet.VLAN_BYTES : Ethernet.ETHERTYPE;
  }

  private boolean has(int index, int count) {
    return index + count <= bytes.length();
  }

  private int unsignedShort(int index) {
    return Short.toUnsignedInt(buffer().getShort(at(index)));
  }

  private ByteBuffer buffer() {
    return bytes.buffer();
  }

  private int at(int index) {
    return bytes.offset() + index;
  }

  /** Line of a ladder, without the addresses. */
  @Override
  public String toString() {
    String tag = hasVlanTag() ? String.format(" vlan=0x%04x", vlanTag()) : "";
    return String.format("ETHERNET type=0x%04x%s %d bytes", etherType(), tag, bytes.length());
  }
}
