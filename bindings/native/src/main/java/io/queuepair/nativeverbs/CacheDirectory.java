// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Cache of the user below {@code ~/.cache/queuepair}. Each entry is a directory, named by a digest
 * of what it was made from and renamed into place when complete. Programs load its files, so
 * directories and files that other users can change are refused.
 */
final class CacheDirectory {
  private static final int NAME_DIGITS = 24;

  // Bits of st_mode, see inode(7).
  private static final int TYPE = 0170000;
  private static final int LINK = 0120000;
  private static final int STICKY = 01000;
  private static final int WRITABLE_BY_OTHERS = 022;

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** Directories for temporary files, open to all users; at least one is usually writable. */
  private static final List<Path> TEMPORARY =
      List.of(Path.of(System.getProperty("java.io.tmpdir")), Path.of("/dev/shm"));

  static final String REMEDY = "set XDG_CACHE_HOME to a directory of your own";

  private final Path root;

  CacheDirectory(Path root) {
    this.root = root.toAbsolutePath();
  }

  /**
   * Cache of the user: below XDG_CACHE_HOME if set, else below a writable home directory from which
   * programs can preload, else below a directory for temporary files.
   *
   * @param home home directory of the passwd entry, for processes without HOME
   */
  static CacheDirectory ofUser(Map<String, String> environment, String home) {
    String base = environment.getOrDefault("XDG_CACHE_HOME", "");
    if (base.startsWith("/")) {
      return new CacheDirectory(Path.of(base, "queuepair"));
    }
    return Stream.of(environment.getOrDefault("HOME", ""), home)
        .filter(directory -> directory.startsWith("/") && isPreloadable(directory))
        .map(directory -> Path.of(directory, ".cache", "queuepair"))
        .filter(directory -> isWritableDirectory(deepestExisting(directory)))
        .findFirst()
        .map(CacheDirectory::new)
        .orElseGet(() -> new CacheDirectory(temporary().resolve("queuepair-" + user())));
  }

  /** Writable directory for temporary files; on a read-only system that may be /dev/shm. */
  static Path temporary() {
    return TEMPORARY.stream().filter(Files::isWritable).findFirst().orElse(TEMPORARY.get(0));
  }

  /** Whether LD_PRELOAD can name a path, rather than be split within it. */
  static boolean isPreloadable(String path) {
    return path.chars().noneMatch(each -> each == ' ' || each == ':');
  }

  private static int user() {
    try {
      return ownerOf(Path.of("/proc/self"));
    } catch (IOException hidden) {
      throw new NativeException("/proc cannot be read", hidden);
    }
  }

  private static boolean isWritableDirectory(Path path) {
    return Files.isDirectory(path) && Files.isWritable(path);
  }

  /** The path itself, or its deepest ancestor that exists. */
  private static Path deepestExisting(Path path) {
    Path deepest = path;
    while (!Files.exists(deepest)) {
      deepest = deepest.getParent();
    }
    return deepest;
  }

  /**
   * Root of the cache, created if it does not exist.
   *
   * @throws NativeException if it cannot be written, or another user can have changed it
   */
  Path directory() {
    try {
      return safeRoot();
    } catch (IOException unwritable) {
      throw new NativeException("the cache " + root + " cannot be written", unwritable);
    }
  }

  interface Filler {
    void fill(Path directory) throws IOException;
  }

  /**
   * Directory of an entry, created if it does not exist.
   *
   * @param kind prefix of its name
   * @param madeFrom all texts that the content depends on
   * @param filler fills a temporary directory, which is then renamed
   * @throws NativeException if it cannot be written, or another user can have changed it
   */
  Path entry(String kind, List<String> madeFrom, Filler filler) {
    try {
      Path safe = safeRoot();
      Path entry = safe.resolve(kind + "-" + digest(madeFrom));
      if (!Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
        make(safe, kind, entry, filler);
      }
      try (Stream<Path> all = Files.walk(entry)) {
        for (Path path : all.toList()) {
          requireSafe(path, 0);
        }
      }
      return entry;
    } catch (IOException | UncheckedIOException unwritable) {
      throw new NativeException(
          "the cache "
              + root
              + " cannot be written (set XDG_CACHE_HOME to another directory): "
              + unwritable,
          unwritable);
    }
  }

  private static void make(Path safe, String kind, Path entry, Filler filler) throws IOException {
    Path fresh = Files.createTempDirectory(safe, "." + kind);
    try {
      filler.fill(fresh);
      try (Stream<Path> all = Files.walk(fresh)) {
        for (Path path : all.filter(path -> !Files.isSymbolicLink(path)).toList()) {
          int mode = (int) Files.getAttribute(path, "unix:mode");
          Files.setAttribute(path, "unix:mode", mode & ~WRITABLE_BY_OTHERS);
        }
      }
      publish(fresh, entry);
    } finally {
      delete(fresh);
    }
  }

  /**
   * Resolves symbolic links of the root and creates it if needed. Each directory of its path
   * belongs to this user or root, so that no other user can replace it; in one such as /tmp, others
   * can only add files.
   */
  private Path safeRoot() throws IOException {
    Path present = deepestExisting(root);
    Path safe = present.toRealPath();
    requireSafeWay(safe);
    Path whole = safe.resolve(present.relativize(root)).normalize();
    Files.createDirectories(whole, OWNER_ONLY);
    requireSafeWay(whole); // Another user may have created it first, in a directory such as /tmp.
    requireSafe(whole, 0);
    return whole;
  }

  private static void requireSafeWay(Path directory) throws IOException {
    for (Path path = directory; path != null; path = path.getParent()) {
      requireSafe(path, STICKY);
    }
  }

  /**
   * Refuses a path that belongs to a user other than this one and root, or that others may write.
   *
   * @param harmless bit of the mode that makes writing by others harmless, or 0
   */
  private static void requireSafe(Path path, int harmless) throws IOException {
    Map<String, Object> attributes =
        Files.readAttributes(path, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
    int owner = (int) attributes.get("uid");
    int mode = (int) attributes.get("mode");
    if (owner != ownerOf(Path.of("/proc/self")) && owner != ownerOf(path.getRoot())) {
      throw new NativeException(
          "the cache is not used, as " + path + " belongs to the user " + owner + ": " + REMEDY);
    }
    if ((mode & WRITABLE_BY_OTHERS) != 0 && (mode & harmless) == 0 && (mode & TYPE) != LINK) {
      throw new NativeException(
          "the cache is not used, as other users may write to "
              + path
              + ": forbid that by chmod go-w, or "
              + REMEDY);
    }
  }

  /** Owner of a path; /proc/self has the effective user, and / root, even in a user namespace. */
  private static int ownerOf(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:uid");
  }

  /**
   * Renames a new entry into place, unless another process has done so with the same content. The
   * exception for a directory that is not empty has no type of its own.
   */
  private static void publish(Path fresh, Path entry) throws IOException {
    try {
      Files.move(fresh, entry, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException there) {
      if (!Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
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

  /** Short digest of texts. */
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
