package io.queuepair.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.unix.Errors;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Which failures mean that an interface cannot segment. */
final class SendFailuresTest {
  private static final int EIO_NEGATIVE = -5;
  private static final int EINVAL_NEGATIVE = -22;

  @Test
  void onlyEioShowsThatOffloadIsMissing() {
    assertThat(SendFailures.showsMissingOffload(failure(EIO_NEGATIVE))).isTrue();
    assertThat(SendFailures.showsMissingOffload(failure(EINVAL_NEGATIVE))).isFalse();
    assertThat(SendFailures.showsMissingOffload(new IOException("Input/output error"))).isFalse();
  }

  private static IOException failure(int errnoNegative) {
    return new Errors.NativeIoException("sendmmsg", errnoNegative);
  }
}
