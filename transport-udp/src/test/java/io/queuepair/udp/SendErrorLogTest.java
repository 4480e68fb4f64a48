// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static io.queuepair.udp.LoopbackAddresses.A;
import static io.queuepair.udp.LoopbackAddresses.B;
import static io.queuepair.udp.LoopbackAddresses.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Errors;
import io.queuepair.emulator.fabric.Link;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Meaning of the failures of a send. */
final class SendErrorLogTest {
  private static final int EIO_NEGATIVE = -5;
  private static final int EINVAL_NEGATIVE = -22;
  private static final int EMSGSIZE_NEGATIVE = -90;

  @BeforeAll
  static void loadsWhatMakesErrors() {
    assumeTrue(Epoll.isAvailable(), "errors of the kernel come with epoll only");
  }

  @Test
  void onlyEioShowsThatOffloadIsMissing() {
    assertThat(SendErrorLog.showsMissingOffload(failure(EIO_NEGATIVE))).isTrue();
    assertThat(SendErrorLog.showsMissingOffload(failure(EINVAL_NEGATIVE))).isFalse();
    assertThat(SendErrorLog.showsMissingOffload(new IOException("Input/output error"))).isFalse();
  }

  /** A segmented burst is sent as one; 64 datagrams are UDP_MAX_SEGMENTS of the kernel. */
  @ParameterizedTest
  @CsvSource({"-5, 1", "-22, 64"})
  void onlyAfterEioOfABurstIsEveryDatagramSentByItself(int errnoNegative, int segments) {
    UdpOptions options = LoopbackAddresses.options(UdpOptions.Transport.EPOLL);
    WatchedSockets sockets = new WatchedSockets(Sockets.of(options));
    sockets.refuseBursts(failure(errnoNegative));
    RecordingStation a = new RecordingStation();
    RecordingStation b = new RecordingStation();
    try (UdpFabric fabric = new UdpFabric(options, sockets)) {
      Link link = fabric.attach(A, a);
      fabric.attach(B, b);

      a.transmit(
          link,
          () -> {
            RecordingStation.sendNow(link, A, B, payload(100, 1), payload(100, 2));
            RecordingStation.sendNow(link, A, B, payload(100, 3));
          });

      assertThat(b.take(1)).containsExactly(payload(100, 3));
      assertThat(link.maxSegments()).isEqualTo(segments);
      assertThat(fabric.counters().sendFailures()).isEqualTo(2);
    }
  }

  @Test
  void adviceIsForWhatIsTooLongOnly() {
    assertThat(SendErrorLog.advice(failure(EMSGSIZE_NEGATIVE))).contains("smaller path MTU");
    assertThat(SendErrorLog.advice(new IOException("Message too long"))).contains("path MTU");
    assertThat(SendErrorLog.advice(failure(EINVAL_NEGATIVE))).isEmpty();
    assertThat(SendErrorLog.advice(new IOException())).isEmpty();
  }

  @Test
  void namesAnErrnoAndNoFunctionOfNetty() {
    assertThat(SocketErrors.reasonOf(failure(EINVAL_NEGATIVE)))
        .isEqualTo("EINVAL (Invalid argument)");
    assertThat(SocketErrors.reasonOf(failure(EMSGSIZE_NEGATIVE)))
        .isEqualTo("errno 90 (Message too long)");
    assertThat(SocketErrors.reasonOf(new IOException("Message too long")))
        .isEqualTo("Message too long");
  }

  private static IOException failure(int errnoNegative) {
    return new Errors.NativeIoException("sendmmsg", errnoNegative);
  }
}
