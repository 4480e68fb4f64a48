// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.UserContextHolder;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.List;

/** Calls of C to devices and contexts. */
final class DeviceEntries {
  private static final int NAME_ROOM = 64;
  private static final int ADDRESSES_ROOM = 1024;

  private DeviceEntries() {}

  /**
   * Describes one of the devices that the program may see; returns how many they are. The bytes
   * hold the address that the program has chosen, or nothing.
   */
  static long deviceInfo(long index, ByteBuffer args) {
    String wanted = Args.text(args, Args.BYTES);
    List<Integer> places = ServiceDevices.placesOf(wanted);
    if (index < 0 || index >= places.size()) {
      throw new VerbsException(
          Errno.EINVAL,
          "ibv_get_device_list",
          "QUEUEPAIR_ADDRESS is " + wanted + ", but devices have " + ServiceDevices.addresses());
    }
    int place = places.get((int) index);
    Device device = device(place);
    Args.setSlot(args, 0, device.guid());
    Args.setSlot(args, 1, device.nodeType().code());
    Args.setSlot(args, 2, device.transportType().code());
    Args.setSlot(args, 3, place);
    Args.clear(args, Args.BYTES, NAME_ROOM);
    Args.putText(args, Args.BYTES, device.name(), NAME_ROOM);
    return places.size();
  }

  /** Lists the addresses: commas within a device, semicolons between devices. */
  static void addresses(long unused, ByteBuffer args) {
    Args.putText(args, Args.BYTES, ServiceDevices.addresses(), ADDRESSES_ROOM);
  }

  private static Device device(long index) {
    List<Device> devices = ServiceDevices.devices();
    if (index < 0 || index >= devices.size()) {
      throw new VerbsException(Errno.ENODEV, "ibv_open_device", "there is no device " + index);
    }
    return devices.get((int) index);
  }

  static long openDevice(long index, ByteBuffer args) {
    OpenFile file = AttachedProgram.current().openFile();
    Context context = device(index).open();
    context.onAsyncEvent(event -> pass(file, event));
    return file.open(context);
  }

  /** Opens asynchronous events for a context; slot 0 becomes the index of its device. */
  static long allocAsyncEvents(long handle, ByteBuffer args) {
    Context context = Handles.get(handle, Context.class);
    EventSocket socket = AttachedProgram.current().openEvents(null);
    long events = Handles.add(socket);
    OpenFile.current().attach(events, socket);
    Args.setSlot(args, 0, ServiceDevices.devices().indexOf(context.device()));
    return events;
  }

  private static void pass(OpenFile file, AsyncEvent event) {
    int type = event.eventType().code();
    if (event instanceof AsyncEvent.QpEvent about) {
      EventTargets.pass(about.qp(), type);
    } else if (event instanceof AsyncEvent.CqEvent about) {
      EventTargets.pass(about.cq(), type);
    } else if (event instanceof AsyncEvent.SrqEvent about) {
      EventTargets.pass(about.srq(), type);
    } else if (event instanceof AsyncEvent.WqEvent about) {
      EventTargets.pass(about.wq(), type);
    } else {
      file.sendToAll(type, event instanceof AsyncEvent.PortEvent about ? about.portNum() : 0);
    }
  }

  static void close(long handle, ByteBuffer args) {
    OpenFile file = OpenFile.current();
    if (file == null || !file.hasReaderOf(handle)) {
      closeNow(handle);
    }
  }

  private static void closeNow(long handle) {
    AutoCloseable object = Handles.get(handle, AutoCloseable.class);
    closeNow(object);
    if (object instanceof UserContextHolder target) {
      EventTargets.remove(target);
    }
    Handles.remove(handle);
  }

  /** Closes an object that programs have left behind, if it exists and can be closed. */
  static void closeQuietly(long handle) {
    try {
      if (OpenFile.current() == Program.current().handles().fileOf(handle)) {
        closeNow(handle);
      }
    } catch (RuntimeException refused) {
      Refusals.explain(refused.getMessage());
    }
  }

  private static void closeNow(AutoCloseable object) {
    try {
      object.close();
    } catch (RuntimeException refused) {
      throw refused;
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  static void queryDeviceEx(long handle, ByteBuffer args) {
    DeviceAttrStruct.write(args, Args.BYTES, Handles.get(handle, Context.class).queryDeviceEx());
  }

  static void queryPort(long handle, ByteBuffer args) {
    int port = Args.intSlot(args, 0);
    PortAttrStruct.write(args, Args.BYTES, Handles.get(handle, Context.class).queryPort(port));
  }

  /** Reads an entry of a GID table; an empty one is the zero GID without a type. */
  static void queryGid(long handle, ByteBuffer args) {
    int port = Args.intSlot(args, 0);
    int index = Args.intSlot(args, 1);
    Context context = Handles.get(handle, Context.class);
    GidStruct.putEntry(args, Args.BYTES, context, port, index);
  }

  static long queryPkey(long handle, ByteBuffer args) {
    int port = Args.intSlot(args, 0);
    return Handles.get(handle, Context.class).queryPkey(port, Args.intSlot(args, 1));
  }

  static long rawClock(long handle, ByteBuffer args) {
    return Handles.get(handle, Context.class).queryRtValuesEx().rawClock();
  }
}
