// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.Device;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Directory of the service with the files of its devices. They are real files, so that programs
 * find them by relative names and directory descriptors, and so do scripts, and processes that have
 * changed their user.
 */
final class SysfsFiles implements AutoCloseable {
  private final Path root;
  private final Executor afterLifespan;
  private final List<SysfsDevice> devices = new ArrayList<>();

  /**
   * Creates the directory.
   *
   * @param workers runs the updates of counters
   * @throws NativeException if it cannot be created
   */
  SysfsFiles(Executor workers) {
    afterLifespan =
        CompletableFuture.delayedExecutor(
            SysfsDevice.LIFESPAN_MILLIS, TimeUnit.MILLISECONDS, workers);
    try {
      root = Files.createTempDirectory(CacheDirectory.temporary(), "queuepair-files-");
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException unwritable) {
      throw refusal(unwritable);
    }
  }

  private static NativeException refusal(IOException unwritable) {
    return new NativeException(
        "the files of the device cannot be written below "
            + CacheDirectory.temporary()
            + ": "
            + unwritable.getMessage(),
        unwritable);
  }

  Path root() {
    return root;
  }

  /** Creates the files of devices, and keeps them up to date. */
  void write(List<Device> all) {
    create(
        () -> {
          for (Device device : all) {
            devices.add(new SysfsDevice(root, device.open(), afterLifespan));
          }
        });
  }

  /**
   * Creates the files that such devices have at first, without a verb of the real devices, as a
   * fault plan may make it fail.
   */
  void writeFirst(DeviceProfile profile, String addresses) {
    create(
        () -> {
          try (Emulator emulator = Emulator.inMemory()) {
            for (String each : addresses.split(ServiceDevices.SEPARATOR, -1)) {
              Device device = emulator.addDevice(profile, each.split(",", -1));
              new SysfsDevice(root, device.open(), afterLifespan).close();
            }
          }
        });
  }

  private void create(Runnable filesOfDevices) {
    try {
      SysfsDevice.writeVersions(root);
      filesOfDevices.run();
    } catch (IOException unwritable) {
      throw refusal(unwritable);
    } catch (UncheckedIOException unwritable) {
      throw refusal(unwritable.getCause());
    }
  }

  /** Updates counters. */
  void refresh() {
    devices.forEach(SysfsDevice::refresh);
  }

  /** Removes the directory. */
  @Override
  public void close() {
    devices.forEach(SysfsDevice::close);
    try {
      remove(root);
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  /** Removes a directory of files, if it exists; no service may still update it. */
  static void remove(Path root) throws IOException {
    if (!Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
