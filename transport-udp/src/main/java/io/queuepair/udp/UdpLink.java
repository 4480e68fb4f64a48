// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.DatagramChannel;
import io.netty.util.concurrent.Promise;
import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Socket of one device. Sends its packets; the {@link DatagramHandler} receives. */
final class UdpLink implements Link {
  private static final Logger LOG = LoggerFactory.getLogger(UdpLink.class);

  /** Whether net.core.rmem_max was reported: once in a process, not for each device. */
  private static final AtomicBoolean toldOfRmemMax = new AtomicBoolean();

  private final InetAddress address;
  private final UdpContext context;
  private final Runnable onClose;
  private final DatagramChannel channel;
  private final MulticastSockets groups;
  private final Runnable transmission;
  private final Runnable turn = this::takeTurn;
  private final AtomicBoolean rung = new AtomicBoolean();
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final int receiveBufferBytes;
  private volatile int maxSegments;

  /** Null if all bursts go through the channel's queue. */
  private final Sockets.DirectSend direct;

  /** The only burst written since the last flush; null if none or several were. */
  private BurstBuffer lone;

  /** Datagram length that the kernel cuts direct sends into; 0 if it does not cut them. */
  private int cutBytes;

  /** Destination of the last burst, kept as most bursts have the same one as the burst before. */
  private InetSocketAddress lastRecipient;

  /**
   * Opens the socket and begins to receive.
   *
   * @throws FabricException if the address cannot be bound
   */
  UdpLink(InetAddress address, Station station, UdpContext context, Runnable onClose) {
    this.address = HostInterfaces.withScope(address);
    this.context = context;
    this.onClose = onClose;
    this.transmission = station::transmit;
    this.maxSegments = context.sockets().maxSegments();
    boolean isIpv4 = !(address instanceof Inet6Address);
    boolean refusesOthers = isIpv4 && !context.sockets().sendsKnownIdentification();
    DatagramHandler datagramHandler = new DatagramHandler(address, station, context, refusesOthers);
    this.channel = BoundSockets.open(context, this.address, datagramHandler);
    this.direct = context.sockets().directSend(channel);
    this.groups = new MulticastSockets(address, station, context, refusesOthers);
    try {
      receiveBufferBytes = channel.config().getReceiveBufferSize();
      HostInterfaces.sendMulticastFrom(channel, address);
      warn(isIpv4, refusesOthers);
    } catch (RuntimeException e) {
      BoundSockets.close(context, channel);
      throw BindErrors.noSocket(address, e);
    }
  }

  private void warn(boolean isIpv4, boolean refusesOthers) {
    if (receiveBufferBytes < context.options().receiveBufferBytes()
        && toldOfRmemMax.compareAndSet(false, true)) {
      LOG.info(
          "{}: the kernel keeps {} bytes of arrivals instead of {}, and drops more (raise"
              + " net.core.rmem_max)",
          address.getHostAddress(),
          receiveBufferBytes,
          context.options().receiveBufferBytes());
    }
    if (refusesOthers) {
      LOG.warn(
          "{}: NIO sockets cannot fix the IPv4 identification here, so only devices of this"
              + " software understand what it sends; others are refused. That needs {}",
          address.getHostAddress(),
          context.sockets().identificationNeeds());
    }
    if (!isIpv4 && !context.sockets().acceptsNoChecksum()) {
      LOG.info(
          "{}: NIO sockets drop datagrams over IPv6 without UDP checksum, which Linux Soft-RoCE"
              + " sends (use epoll)",
          address.getHostAddress());
    }
  }

  @Override
  public int maxSegments() {
    return maxSegments;
  }

  @Override
  public boolean isWritable() {
    if (socketHasRoom() && !context.executor().isUsedUp()) {
      return true;
    }
    context.executor().blocked(this);
    return false;
  }

  /** Whether the socket and the pool of buffers have room for another burst. */
  boolean socketHasRoom() {
    return channel.isWritable() && context.pool().hasRoom();
  }

  /** Size of the receive buffer; that of a peer is taken to be the same. */
  long receiveBufferBytes() {
    return receiveBufferBytes;
  }

  @Override
  public ByteBuffer borrow() {
    return context.pool().acquire();
  }

  @Override
  public void send(Traffic traffic, String note) {
    assert context.loop().events().inEventLoop() : "send() outside of transmit()";
    DatagramBurst burst = (DatagramBurst) traffic;
    BurstBuffer buffer = context.pool().claim(burst);
    if (!burst.bytes().hasRemaining()) {
      context.pool().release(buffer);
      return;
    }
    if (BurstBuffer.segments(burst) > maxSegments) {
      context.pool().release(buffer);
      throw new IllegalArgumentException(
          "a burst of "
              + BurstBuffer.segments(burst)
              + " datagrams; the link takes "
              + maxSegments);
    }
    buffer.hold(this, burst);
    if (isAlone(buffer)) {
      lone = buffer;
    } else {
      queueLone();
      queue(buffer);
    }
    context.executor().wrote(this, buffer);
  }

  /** Whether a burst is the first since the last flush, and the channel's queue is empty. */
  private boolean isAlone(BurstBuffer buffer) {
    if (direct == null || lone != null || !buffer.bytes().isDirect()) {
      return false;
    }
    ChannelOutboundBuffer queue = channel.unsafe().outboundBuffer();
    return queue != null && queue.totalPendingWriteBytes() == 0;
  }

  private void queueLone() {
    if (lone != null) {
      queue(lone);
      lone = null;
    }
  }

  private void queue(BurstBuffer buffer) {
    try {
      cutInto(0);
    } catch (IOException e) {
      LOG.debug("{}: the socket keeps its option", address.getHostAddress(), e);
    }
    channel.write(buffer.message(recipient(buffer.destination()))).addListener(buffer);
  }

  private InetSocketAddress recipient(InetAddress destination) {
    if (lastRecipient == null || !lastRecipient.getAddress().equals(destination)) {
      lastRecipient =
          new InetSocketAddress(
              HostInterfaces.withScopeOf(address, destination), context.options().port());
    }
    return lastRecipient;
  }

  /**
   * Handles the end of a burst, which the kernel has taken or refused.
   *
   * @param cause why the kernel refused it; null if it was taken
   */
  void complete(BurstBuffer buffer, DatagramBurst burst, Throwable cause) {
    if (cause == null) {
      context.udpStats().sent(buffer.segments(), buffer.lengthBytes());
    } else {
      context.udpStats().sendFailed(buffer.segments());
      context.sendErrorLog().report(address, buffer, cause);
      note(burst, cause);
      giveUpOffload(buffer, cause);
    }
    context.pool().release(buffer);
    context.executor().resume();
  }

  /** Records lost datagrams, for senders that get no answer. */
  private void note(DatagramBurst burst, Throwable cause) {
    String fate = SocketErrors.ofSend(address, burst.destination(), cause);
    ByteBuffer bytes = burst.bytes();
    for (int at = bytes.position(); at < bytes.limit(); at += burst.segmentBytes()) {
      context.lost().add(burst, at, fate);
    }
  }

  /**
   * Stops using segmentation offload. The lost burst is not sent again in parts: its ICRCs cover
   * the IPv4 identifications that the offload would have assigned.
   */
  private void giveUpOffload(BurstBuffer buffer, Throwable cause) {
    boolean wasOffloaded = buffer.segments() > 1;
    if (wasOffloaded && maxSegments > 1 && SendErrorLog.showsMissingOffload(cause)) {
      maxSegments = 1;
      LOG.warn(
          "{}: segmentation offload does not work here; every datagram is sent by itself from now"
              + " on: {}",
          address.getHostAddress(),
          SocketErrors.reasonOf(cause));
    }
  }

  /**
   * Sets the length of the datagrams of direct sends; the channel's queue needs 0. The descriptor
   * of a closed channel may be that of another file.
   */
  private void cutInto(int bytes) throws IOException {
    if (bytes != cutBytes && channel.isOpen()) {
      direct.cutInto(bytes);
      cutBytes = bytes;
    }
  }

  /** Sends a lone burst directly, or queues it: Netty notices when there is room. */
  void flush() {
    if (lone == null || !sendLone()) {
      queueLone();
      channel.flush();
    }
  }

  /**
   * Sends the lone burst by a system call of its own.
   *
   * @return false if the socket is full, or closed: its descriptor may be that of another file then
   */
  private boolean sendLone() {
    if (!channel.isOpen()) {
      return false;
    }
    BurstBuffer burst = lone;
    ByteBuffer bytes = burst.bytes();
    InetSocketAddress to = recipient(burst.destination());
    IOException failure = null;
    try {
      cutInto(burst.segments() > 1 ? burst.segmentBytes() : 0);
      if (direct.sendTo(bytes, bytes.position(), bytes.limit(), to.getAddress(), to.getPort())
          == 0) {
        return false;
      }
    } catch (IOException e) {
      failure = e;
    }
    lone = null;
    burst.complete(failure);
    return true;
  }

  /** {@inheritDoc} Must not be called by the network's own thread, which opens the socket. */
  @Override
  public void join(InetAddress group) {
    context.closeGate().enter(() -> groups.join(group));
  }

  @Override
  public void leave(InetAddress group) {
    groups.leave(group);
  }

  /**
   * {@inheritDoc} The device sends at once if the calling thread runs the loop and no turn of the
   * device is pending; otherwise later on the loop, in one turn for all rings until then.
   */
  @Override
  public void ringDoorbell() {
    if (!context.executor().canTransmitNow() || rung.get()) {
      ringLater();
    } else if (!context.loop().postponesAnswers()) {
      transmit();
    } else if (rung.compareAndSet(false, true)) {
      context.loop().postpone(turn);
    }
  }

  /** Gives the device a turn of its own; many rings until then are one. */
  void ringLater() {
    if (rung.compareAndSet(false, true)) {
      context.executor().execute(turn);
    }
  }

  /** Runs the pending turn, unless it has run already. */
  private void takeTurn() {
    if (rung.compareAndSet(true, false)) {
      transmit();
    }
  }

  private void transmit() {
    if (channel.isOpen()) {
      context.executor().transmit(transmission);
    }
  }

  @Override
  public void close() {
    if (!isClosed.compareAndSet(false, true)) {
      return;
    }
    if (context.executor().canTransmitNow()) {
      takeTurn(); // Sends postponed answers.
    }
    groups.close();
    Promise<Void> freed = context.loop().events().newPromise();
    channel.close().addListener(closed -> free(freed));
    if (!context.loop().await(freed, ProgressLoop.AWAIT_TIMEOUT_NANOS)) {
      LOG.warn("{}: the socket did not close in time", address.getHostAddress());
    }
    onClose.run();
  }

  private void free(Promise<Void> freed) {
    context.executor().forget(this);
    // The JDK frees the port when its selector runs next, which is before the next timer.
    context
        .loop()
        .events()
        .schedule(() -> {}, 0, TimeUnit.NANOSECONDS)
        .addListener(passed -> freed.setSuccess(null));
  }
}
