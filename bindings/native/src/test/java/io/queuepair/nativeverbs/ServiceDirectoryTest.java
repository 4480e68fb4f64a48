// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services that are dead leave nothing but a log that someone may want to read. */
final class ServiceDirectoryTest {
  @TempDir Path home;

  private CacheDirectory cache;
  private Path dead;
  private Path deadFiles;

  @BeforeEach
  void leaveADeadService() throws IOException {
    cache = new CacheDirectory(home.resolve("cache"));
    deadFiles = Files.createDirectories(home.resolve("dead-files"));
    Files.writeString(Files.createDirectories(deadFiles.resolve("sys")).resolve("name"), "qp0");
    dead = Files.createDirectory(cache.directory().resolve("service-1"));
    Files.createFile(dead.resolve("pid"));
    Files.createSymbolicLink(dead.resolve("files"), deadFiles);
  }

  private ServiceDirectory start() throws IOException {
    return ServiceDirectory.create(cache, Files.createDirectories(home.resolve("files")));
  }

  private void logOf(Duration age) throws IOException {
    Path log = Files.writeString(dead.resolve("log"), "a failure");
    Files.setLastModifiedTime(log, FileTime.from(Instant.now().minus(age)));
  }

  @Test
  void isRemovedWithItsFilesByTheNextStart() throws IOException {
    ServiceDirectory next = start();

    assertThat(dead).doesNotExist();
    assertThat(deadFiles).doesNotExist();
    next.close();
  }

  @Test
  void staysForADayWithALog() throws IOException {
    logOf(Duration.ofHours(23));
    start().close();

    assertThat(dead.resolve("log")).hasContent("a failure");
    assertThat(deadFiles).doesNotExist();

    logOf(Duration.ofHours(25));
    start().close();
    assertThat(dead).doesNotExist();
  }

  @Test
  void staysWhileItsServiceLives() throws IOException {
    ServiceDirectory first = start();
    Path log = Files.writeString(first.log(), "");

    ServiceDirectory second = start();

    assertThat(log).exists();
    assertThat(home.resolve("files")).exists();
    first.close();
    assertThat(log.getParent()).doesNotExist();
    second.close();
  }
}
