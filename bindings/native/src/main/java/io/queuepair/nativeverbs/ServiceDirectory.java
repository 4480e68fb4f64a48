// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Directory of a service below the cache of the user: its log, and a file with its process id,
 * which it keeps locked while it lives.
 */
final class ServiceDirectory {
  private static final String PREFIX = "service-";
  private static final String LOCK = "pid";
  private static final String LOG = "log";

  /** Link to the files of the devices, which are where programs of other users can read them. */
  private static final String FILES = "files";

  private static final List<String> NAMES = List.of(FILES, LOG, LOCK);

  /** Time that the log of a dead service is kept, as programs have named it to their users. */
  private static final Duration KEPT = Duration.ofDays(1);

  private final Path directory;
  private final FileChannel lock;

  private ServiceDirectory(Path directory, FileChannel lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /**
   * Creates a directory for this process, and removes those of dead services.
   *
   * @param files directory with the files of the devices, which another service removes if this one
   *     dies
   * @throws IOException if the directory cannot be created
   */
  static ServiceDirectory create(CacheDirectory cache, Path files) throws IOException {
    Path parent = cache.directory();
    removeDead(parent);
    Path fresh = Files.createTempDirectory(parent, "." + PREFIX);
    FileChannel lock =
        FileChannel.open(
            fresh.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    lock.lock();
    Files.createSymbolicLink(fresh.resolve(FILES), files);
    String process = ProcessHandle.current().pid() + "\n";
    lock.write(ByteBuffer.wrap(process.getBytes(StandardCharsets.US_ASCII)));
    // Only now does it get the name that other services look for: its lock tells that it is in use.
    String name = fresh.getFileName().toString().substring(1);
    return new ServiceDirectory(Files.move(fresh, parent.resolve(name)), lock);
  }

  Path log() {
    return directory.resolve(LOG);
  }

  /** Removes the directory, unless the log has content. */
  void close() throws IOException {
    if (isEmpty(log())) {
      remove(directory);
    }
    lock.close();
  }

  private static void removeDead(Path parent) throws IOException {
    List<Path> all;
    try (Stream<Path> entries = Files.list(parent)) {
      all =
          entries
              .filter(entry -> entry.getFileName().toString().startsWith(PREFIX))
              .filter(entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
              .toList();
    }
    for (Path entry : all) {
      if (isDead(entry.resolve(LOCK))) {
        Path files = entry.resolve(FILES);
        if (Files.isSymbolicLink(files)) { // Another service may have removed it.
          SysfsFiles.remove(Files.readSymbolicLink(files));
        }
        if (isReadNoMore(entry.resolve(LOG))) {
          remove(entry);
        }
      }
    }
  }

  private static boolean isDead(Path locked) {
    try (FileChannel channel =
        FileChannel.open(locked, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException own) {
      return false;
    } catch (IOException gone) { // Another service may have removed it.
      return false;
    }
  }

  private static boolean isReadNoMore(Path log) throws IOException {
    return isEmpty(log)
        || Files.getLastModifiedTime(log).toInstant().plus(KEPT).isBefore(Instant.now());
  }

  private static boolean isEmpty(Path log) throws IOException {
    return !Files.exists(log) || Files.size(log) == 0;
  }

  private static void remove(Path directory) throws IOException {
    for (String name : NAMES) {
      Files.deleteIfExists(directory.resolve(name));
    }
    Files.deleteIfExists(directory);
  }
}
