// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.queue.ReceivePoster;
import io.queuepair.emulator.queue.ReceiveReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that a hostile program writes into a mailbox, which it shares with the service. */
final class MailboxTest {
  private static final int MOST = 4;
  private static final int POSTED = Protocol.FIRST_MAILBOX + Protocol.MAILBOX_POSTED;
  private static final int TAKEN = Protocol.FIRST_MAILBOX + Protocol.MAILBOX_TAKEN;
  private static final int POSTS = Protocol.FIRST_MAILBOX + Protocol.MAILBOX_POSTS;

  private final ByteBuffer chunk =
      ByteBuffer.allocateDirect(Protocol.CHUNK_BYTES).order(ByteOrder.nativeOrder());

  private final List<String> posted = new ArrayList<>();

  /** Refuses the second request of each post. */
  private final Mailbox mailbox =
      new Mailbox(
          null,
          (queue, isReceive, posts, places, count) -> {
            String kind = isReceive ? "receives" : "sends";
            posted.add(kind + " to " + queue + Arrays.toString(Arrays.copyOf(places, count)));
            return count > 1 ? -2 : 0;
          },
          chunk,
          0);

  /** A bit without posts is a look, so that who sets it again and again does not keep others. */
  @Test
  void countsALookThatFindsNothing() {
    assertThat(mailbox.takePosts(MOST)).isEqualTo(MOST - 1);
    assertThat(mailbox.hasPosts()).isFalse();
  }

  /** A filler reaches from anywhere to the end of the ring. */
  @Test
  void takesAFiller() {
    chunk.putInt(POSTS, Protocol.POSTS_BYTES).putInt(POSTED, Protocol.POSTS_BYTES);

    assertThat(mailbox.takePosts(MOST)).isEqualTo(MOST - 1);
    assertThat(chunk.getInt(TAKEN)).isEqualTo(Protocol.POSTS_BYTES);
    assertThat(mailbox.hasPosts()).isFalse();
  }

  /** The ring is full of records of so many bytes; none is taken, now or later, or posted. */
  @ParameterizedTest
  @CsvSource({
    "16, 0, 0xfffffff0", // More than the ring has.
    "131072, 0, 0x40000",
    "16, 0, 0x20", // A filler that does not end with the ring.
    "0, 1, 0x20",
    "8, 1, 0x20",
    "24, 1, 0x20",
    "-16, 1, 0x20",
    "48, 1, 0x20", // More than was posted.
    "16, 1, 7"
  })
  void takesNothingThatTheLibraryDoesNotWrite(int bytes, long queue, String posted) {
    for (int at = 0; at < Protocol.POSTS_BYTES; at += Protocol.POST_RECORD) {
      chunk.putInt(POSTS + at, bytes).putLong(POSTS + at + Protocol.POST_QUEUE, queue);
    }
    chunk.putInt(POSTED, Long.decode(posted).intValue());

    assertThat(mailbox.takePosts(MOST)).isBetween(0, MOST - 1);
    assertThat(mailbox.hasPosts()).isFalse();
    assertThat(chunk.getInt(TAKEN)).isZero();
  }

  /** A turn stops at a refused post; later turns take the posts after that. */
  @Test
  void postsTogetherWhatIsForOneQueueAndNoMoreBehindARefusal() {
    int at = POSTS;
    for (int kind : new int[] {0, 0, 0, 0, 1, 0}) {
      chunk.putInt(at, 2 * Protocol.POST_RECORD).putInt(at + Protocol.POST_IS_RECEIVE, kind);
      chunk.putLong(at + Protocol.POST_QUEUE, 7);
      at += 2 * Protocol.POST_RECORD;
    }
    chunk.putInt(POSTED, at - POSTS);

    assertThat(mailbox.takePosts(MOST)).isZero();
    assertThat(posted).containsExactly("sends to 7[16, 48, 80, 112]");
    assertThat(chunk.getInt(TAKEN)).isEqualTo(64);
    mailbox.takePosts(MOST);
    mailbox.takePosts(MOST);
    assertThat(posted.subList(1, posted.size()))
        .containsExactly("sends to 7[80, 112]", "receives to 7[144]", "sends to 7[176]");
    assertThat(mailbox.hasPosts()).isFalse();
  }

  /** Queue that is shown by another thread at the moment that its listener is removed. */
  private static final class ShownAgain implements ReceivePoster {
    private Mailbox.Window window;
    private Thread engine;
    private IntConsumer listener;

    @Override
    public <S> void postRecv(int count, S source, ReceiveReader<S> reader) {
      throw new AssertionError("no receives are posted");
    }

    @Override
    public long postedBytes() {
      return 0;
    }

    @Override
    public void tellRoomTo(IntConsumer newListener) {
      listener = newListener;
      if (newListener == null && engine == null) {
        engine = new Thread(() -> window.show(this));
        engine.start();
        while (engine.getState() != Thread.State.BLOCKED
            && engine.getState() != Thread.State.TERMINATED) {
          Thread.onSpinWait();
        }
      }
    }
  }

  /** A queue that other programs have lives longer than the memory that its listener writes. */
  @Test
  void leavesNoListenerWhenAWorkerClosesWhatTheEngineShows() throws InterruptedException {
    ShownAgain queue = new ShownAgain();
    queue.window = mailbox.new Window(1);
    queue.window.show(queue);

    queue.window.close();
    queue.engine.join();
    queue.window.close();

    assertThat(queue.listener).isNull();
  }
}
