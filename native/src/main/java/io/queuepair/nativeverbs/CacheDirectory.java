// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What is made once for each user, below {@code ~/.cache/queuepair}: each entry is a directory that
 * is named by what it was made from, and that is complete once it is there.
 */
final class CacheDirectory {
  private static final int NAME_DIGITS = 24;

  private final Path root;

  CacheDirectory(Path root) {
    this.root = root;
  }

  /** That of the user: below XDG_CACHE_HOME if that is set. */
  static CacheDirectory ofUser(Map<String, String> environment) {
    String base = environment.getOrDefault("XDG_CACHE_HOME", "");
    Path cache =
        base.startsWith("/")
            ? Path.of(base)
            : Path.of(environment.getOrDefault("HOME", System.getProperty("java.io.tmpdir")))
                .resolve(".cache");
    return new CacheDirectory(cache.resolve("queuepair"));
  }

  /** Fills a new entry. */
  interface Filler {
    void fill(Path directory) throws IOException;
  }

  /**
   * The entry that is made from some things, made now unless it is there.
   *
   * @param kind what its name begins with
   * @param madeFrom all that it depends on
   * @param filler fills it, in a directory that is renamed in the end
   * @throws NativeException if it cannot be written
   */
  Path entry(String kind, List<String> madeFrom, Filler filler) {
    Path entry = root.resolve(kind + "-" + digest(madeFrom));
    if (Files.isDirectory(entry)) {
      return entry;
    }
    try {
      Files.createDirectories(root);
      Path fresh = Files.createTempDirectory(root, "." + kind);
      try {
        filler.fill(fresh);
        publish(fresh, entry);
      } finally {
        delete(fresh);
      }
      return entry;
    } catch (IOException unwritable) {
      throw new NativeException(
          "the cache "
              + root
              + " cannot be written (set XDG_CACHE_HOME to another directory): "
              + unwritable,
          unwritable);
    }
  }

  /**
   * Another process may have been faster, with the same result. The exception has no type of its
   * own if the directory is not empty.
   */
  private static void publish(Path fresh, Path entry) throws IOException {
    try {
      Files.move(fresh, entry, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException there) {
      if (!Files.isDirectory(entry)) {
        throw there;
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** A short name of some texts, which differs if any of them does. */
  static String digest(List<String> parts) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      for (String part : parts) {
        sha.update(part.getBytes(StandardCharsets.UTF_8));
        sha.update((byte) 0);
      }
      return HexFormat.of().formatHex(sha.digest()).substring(0, NAME_DIGITS);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
