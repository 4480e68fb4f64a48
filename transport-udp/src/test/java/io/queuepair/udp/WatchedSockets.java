// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.unix.SegmentedDatagramPacket;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what was opened last, and does something when it is used. */
final class WatchedSockets implements Sockets {
  private final Sockets real;
  private volatile DatagramChannel last;
  private volatile Runnable onOpen = () -> {};
  private volatile Runnable onQuestion = () -> {};
  private volatile IOException refusal;
  private volatile KernelAnswer answer;
  private volatile boolean holdsQueue;
  private final AtomicInteger directSends = new AtomicInteger();
  private final AtomicInteger queuedSends = new AtomicInteger();

  /** Result of a send that the test gives in place of the kernel. */
  interface KernelAnswer {
    int get() throws IOException;
  }

  WatchedSockets(Sockets real) {
    this.real = real;
  }

  DatagramChannel last() {
    return last;
  }

  /** Before a socket is opened. */
  void onOpen(Runnable action) {
    onOpen = action;
  }

  /** Before it is said what the socket cannot do, which happens when it is bound. */
  void onQuestion(Runnable action) {
    onQuestion = action;
  }

  /** Fails to send what the kernel would have to cut into datagrams. */
  void refuseBursts(IOException cause) {
    refusal = cause;
  }

  /** Asks this instead of the kernel about what is sent past the queue; null for the kernel. */
  void answerDirectSends(KernelAnswer instead) {
    answer = instead;
  }

  /** Whether what is queued stays there. */
  void holdQueue(boolean holds) {
    holdsQueue = holds;
  }

  int directSends() {
    return directSends.get();
  }

  int queuedSends() {
    return queuedSends.get();
  }

  /** Between the devices and the sockets. */
  private final class QueueWatcher extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise written)
        throws Exception {
      queuedSends.incrementAndGet();
      super.write(context, message, written);
    }

    @Override
    public void flush(ChannelHandlerContext context) throws Exception {
      if (!holdsQueue) {
        super.flush(context);
      }
    }
  }

  /** Stands between the device and the socket. */
  private static final class BurstRefuser extends ChannelOutboundHandlerAdapter {
    private final IOException cause;

    BurstRefuser(IOException cause) {
      this.cause = cause;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise written)
        throws Exception {
      if (message instanceof SegmentedDatagramPacket burst) {
        burst.release();
        written.setFailure(cause);
      } else {
        super.write(context, message, written);
      }
    }
  }

  @Override
  public boolean surviveInterrupts() {
    return real.surviveInterrupts();
  }

  @Override
  public IoHandlerFactory driver() {
    return real.driver();
  }

  @Override
  public DatagramChannel open(InetAddress address) throws IOException {
    onOpen.run();
    last = real.open(address);
    last.pipeline().addFirst(new QueueWatcher());
    if (refusal != null) {
      last.pipeline().addFirst(new BurstRefuser(refusal));
    }
    return last;
  }

  @Override
  public DirectSend directSend(DatagramChannel socket) {
    DirectSend sender = real.directSend(socket);
    if (sender == null) {
      return null;
    }
    return new DirectSend() {
      @Override
      public void cutInto(int bytes) throws IOException {
        sender.cutInto(bytes);
      }

      @Override
      public int sendTo(ByteBuffer bytes, int begin, int end, InetAddress address, int port)
          throws IOException {
        directSends.incrementAndGet();
        KernelAnswer instead = answer;
        return instead == null ? sender.sendTo(bytes, begin, end, address, port) : instead.get();
      }
    };
  }

  @Override
  public int maxSegments() {
    return real.maxSegments();
  }

  @Override
  public boolean sendsKnownIdentification() {
    return real.sendsKnownIdentification();
  }

  @Override
  public boolean acceptsNoChecksum() {
    onQuestion.run();
    return real.acceptsNoChecksum();
  }
}
