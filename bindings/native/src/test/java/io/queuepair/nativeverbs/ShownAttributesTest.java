// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.PortState;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The attributes that programs read are those that the device would answer, at any time. */
final class ShownAttributesTest {
  private static final int GID_BYTES = 16;

  private final Emulator emulator = Emulator.inMemory();
  private final EmulatedDevice device = emulator.addDevice("10.0.0.1");
  private final ByteBuffer page =
      ByteBuffer.allocateDirect(Protocol.STATUS_BYTES).order(ByteOrder.nativeOrder());
  private final ShownAttributes shown = new ShownAttributes(device.open(), page, 0);
  private final Context program = device.open();

  @AfterEach
  void close() {
    shown.close();
    program.close();
    emulator.close();
  }

  private int state() {
    return page.getInt(Protocol.STATUS_ATTRIBUTES + Protocol.ATTRIBUTES_PORT);
  }

  private int version() {
    return page.getInt(Protocol.STATUS_ATTRIBUTES);
  }

  private byte[] gid(int index) {
    byte[] gid = new byte[GID_BYTES];
    int at = Protocol.STATUS_ATTRIBUTES + Protocol.ATTRIBUTES_GIDS;
    page.get(at + index * GidStruct.ENTRY_BYTES, gid);
    return gid;
  }

  @Test
  void haveChangedBeforeAProgramHearsOfIt() {
    List<Integer> heard = new ArrayList<>();
    program.onAsyncEvent(event -> heard.add(state()));
    int before = version();

    device.setPortUp(1, false);
    device.setPortUp(1, true);

    assertThat(heard).containsExactly(PortState.DOWN.code(), PortState.ACTIVE.code());
    assertThat(version()).isEqualTo(before + 4);
  }

  @Test
  void haveTheGidsThatTheDeviceHas() {
    byte[] empty = new byte[GID_BYTES];

    assertThat(gid(0)).isEqualTo(program.queryGid(1, 0).toBytes());
    assertThat(gid(1)).isEqualTo(empty);
    device.addAddress(1, "10.0.0.2");
    assertThat(gid(1)).isEqualTo(program.queryGid(1, 1).toBytes()).isNotEqualTo(empty);
    device.removeAddress(1, "10.0.0.2");
    assertThat(gid(1)).isEqualTo(empty);
  }

  @Test
  void stayWhenTheDeviceGoes() {
    shown.close();
    emulator.close();

    shown.refresh();

    assertThat(state()).isEqualTo(PortState.ACTIVE.code());
  }

  @Test
  void areNotThereWhileVerbsMayFail() {
    int before = version();

    shown.show(false);
    device.setPortUp(1, false);
    assertThat(version()).isZero();

    shown.show(true);
    assertThat(version()).isEven().isGreaterThan(before);
    assertThat(state()).isEqualTo(PortState.DOWN.code());
  }
}
