// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Context;
import io.queuepair.verbs.PortAttr;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Attributes of a device with one port, in memory where programs read them without a call: {@code
 * struct attributes} of {@code protocol.h}. Counters of the port are updated when the service is
 * idle. Thread-safe.
 */
final class ShownAttributes implements AutoCloseable {
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private static final int PORT = 1;

  private final Context context;
  private final ByteBuffer status;
  private final int at;
  private long counters;
  private boolean isClosed;
  private boolean isHidden;

  /** Version of the attributes shown last. */
  private int version;

  /**
   * Shows the attributes of a device, and updates them before other contexts learn of a change by
   * an event.
   *
   * @param context of the device: the first that is opened
   * @param status page that programs see
   * @param index of the device
   */
  ShownAttributes(Context context, ByteBuffer status, int index) {
    this.context = context;
    this.status = status;
    at = Protocol.STATUS_ATTRIBUTES + index * Protocol.ATTRIBUTES_BYTES;
    context.onAsyncEvent(event -> write());
    write();
  }

  private synchronized void write() {
    if (isClosed || isHidden) {
      return;
    }
    PortAttr port = context.queryPort(PORT);
    INT.setOpaque(status, at, version + 1);
    VarHandle.fullFence();
    DeviceAttrStruct.write(status, at + Protocol.ATTRIBUTES_DEVICE, context.queryDeviceEx());
    writePort(port);
    int pkeys = Math.min(port.pkeyTblLen(), Protocol.ATTRIBUTES_MAX_PKEYS);
    for (int i = 0; i < pkeys; i++) {
      short pkey = (short) context.queryPkey(PORT, i);
      status.putShort(at + Protocol.ATTRIBUTES_PKEYS + i * Short.BYTES, pkey);
    }
    int gids = Math.min(port.gidTblLen(), Protocol.ATTRIBUTES_MAX_GIDS);
    for (int i = 0; i < gids; i++) {
      int entry = at + Protocol.ATTRIBUTES_GIDS + i * GidStruct.ENTRY_BYTES;
      GidStruct.putEntry(status, entry, context, PORT, i);
    }
    version += 2;
    INT.setRelease(status, at, version);
  }

  /** Shows the attributes, or hides them so that programs call. */
  synchronized void show(boolean isShown) {
    isHidden = !isShown;
    INT.setVolatile(status, at, 0);
    write();
  }

  private void writePort(PortAttr port) {
    PortAttrStruct.write(status, at + Protocol.ATTRIBUTES_PORT, port);
    counters = countersOf(port);
  }

  private static long countersOf(PortAttr port) {
    return (long) port.badPkeyCntr() << Integer.SIZE | port.qkeyViolCntr();
  }

  /** Shows the counters of the port if they have changed. */
  synchronized void refresh() {
    if (!isClosed && !isHidden && countersOf(context.queryPort(PORT)) != counters) {
      write();
    }
  }

  /** Stops updates, and leaves the attributes as they are: the device is about to be closed. */
  @Override
  public synchronized void close() {
    isClosed = true;
    context.close();
  }
}
