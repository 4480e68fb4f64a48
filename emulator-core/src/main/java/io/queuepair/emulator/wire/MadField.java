// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Number in the header of management datagrams or in messages of the communication manager, by its
 * name in reports. Its position may differ between messages.
 */
public final class MadField implements PacketField {
  private static final List<MadField> ALL =
      Arrays.stream(CmField.values())
          .filter(CmField::isNumber)
          .map(MadField::nameOf)
          .distinct()
          .map(MadField::new)
          .toList();

  private final String name;
  private final List<CmField> fields;

  private MadField(String name) {
    this.name = name;
    fields = placesOf(name).filter(CmField::isNumber).toList();
  }

  private static Stream<CmField> placesOf(String name) {
    return Arrays.stream(CmField.values()).filter(field -> nameOf(field).equals(name));
  }

  /** Name of a field, unique among the headers of packets. */
  static String nameOf(CmField field) {
    return (field.message() == null ? "mad_" : "cm_") + field.label();
  }

  /** All fields, those of the header first. */
  public static List<MadField> all() {
    return ALL;
  }

  public static @Nullable MadField named(String name) {
    return ALL.stream().filter(field -> field.name.equals(name)).findFirst().orElse(null);
  }

  @Override
  public int bits() {
    return fields.stream().mapToInt(CmField::bits).max().orElseThrow();
  }

  @Override
  public int bitsIn(Packet packet) {
    return placeIn(MadPayload.in(packet)).bits();
  }

  @Override
  public boolean isIn(Packet packet) {
    MadPayload mad = MadPayload.in(packet);
    return mad != null && placeIn(mad) != null;
  }

  @Override
  public long of(Packet packet) {
    MadPayload mad = MadPayload.in(packet);
    return mad.of(placeIn(mad));
  }

  @Override
  public Packet with(Packet packet, long value) {
    MadPayload mad = MadPayload.in(packet);
    return mad.with(packet, placeIn(mad), value);
  }

  /** Position of the field in a message; null if the message does not have the field. */
  private @Nullable CmField placeIn(MadPayload mad) {
    for (CmField field : fields) {
      if (mad.has(field)) {
        return field;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return name;
  }
}
