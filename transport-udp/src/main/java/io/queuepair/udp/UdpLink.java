package io.queuepair.udp;

import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.DatagramChannel;
import io.netty.util.concurrent.Promise;
import io.queuepair.emulator.fabric.Burst;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.LostPackets;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One device's socket: its way out, and through its {@link Inbox} the way in. */
final class UdpLink implements Link {
  private static final Logger LOG = LoggerFactory.getLogger(UdpLink.class);

  /** What the host is like is said once in a process, not for each device. */
  private static final AtomicBoolean toldOfRmemMax = new AtomicBoolean();

  private final InetAddress address;
  private final LoopState state;
  private final Runnable onClose;
  private final int mtuBytes;
  private final DatagramChannel channel;
  private final GroupSockets groups;
  private final Runnable transmission;
  private final Runnable turn = this::takeTurn;
  private final AtomicBoolean rung = new AtomicBoolean();
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private volatile int maxSegments;

  /** Where the last burst went: most go where the one before went. */
  private InetSocketAddress lastRecipient;

  /**
   * Opens the socket and begins to receive.
   *
   * @throws FabricException if the address cannot be bound
   */
  UdpLink(InetAddress address, Station station, LoopState state, Runnable onClose) {
    this.address = Interfaces.withScope(address);
    this.state = state;
    this.onClose = onClose;
    this.transmission = station::transmit;
    this.maxSegments = state.sockets().maxSegments();
    this.mtuBytes = Interfaces.mtuBytes(address);
    boolean isIpv4 = !(address instanceof Inet6Address);
    boolean refusesOthers = isIpv4 && !state.sockets().sendsKnownIdentification();
    Inbox inbox = new Inbox(address, station, state, refusesOthers);
    this.channel = BoundSockets.open(state, this.address, inbox);
    this.groups = new GroupSockets(address, station, state, refusesOthers);
    try {
      Interfaces.sendMulticastFrom(channel, address);
      warn(isIpv4, refusesOthers);
    } catch (RuntimeException e) {
      BoundSockets.close(state, channel);
      throw BindRefusal.noSocket(address, e);
    }
  }

  private void warn(boolean isIpv4, boolean refusesOthers) {
    int grantedBytes = channel.config().getReceiveBufferSize();
    if (grantedBytes < state.options().receiveBufferBytes()
        && toldOfRmemMax.compareAndSet(false, true)) {
      LOG.info(
          "{}: the kernel keeps {} bytes of arrivals instead of {}, and drops more (raise"
              + " net.core.rmem_max)",
          address.getHostAddress(),
          grantedBytes,
          state.options().receiveBufferBytes());
    }
    if (refusesOthers) {
      LOG.warn(
          "{}: NIO sockets cannot fix the IPv4 identification here, so only devices of this"
              + " software understand what it sends; others are refused. That needs {}",
          address.getHostAddress(),
          state.sockets().identificationNeeds());
    }
    if (!isIpv4 && !state.sockets().acceptsNoChecksum()) {
      LOG.info(
          "{}: NIO sockets drop datagrams over IPv6 without UDP checksum, which Linux Soft-RoCE"
              + " sends (use epoll)",
          address.getHostAddress());
    }
  }

  @Override
  public Form form() {
    return Form.ENCODED;
  }

  @Override
  public int mtuBytes() {
    return mtuBytes;
  }

  @Override
  public int sourcePort() {
    return state.options().port();
  }

  @Override
  public int maxSegments() {
    return maxSegments;
  }

  @Override
  public boolean isWritable() {
    if (hasRoom() && !state.turns().isUsedUp()) {
      return true;
    }
    state.turns().heldBack(this);
    return false;
  }

  /** Whether the socket and the memory for bursts take more. */
  boolean hasRoom() {
    return channel.isWritable() && state.pool().hasRoom();
  }

  /** {@inheritDoc} The socket of a peer is taken to be like the own. */
  @Override
  public long heldBytes() {
    return channel.config().getReceiveBufferSize();
  }

  @Override
  public ByteBuffer borrow() {
    return state.pool().borrow();
  }

  @Override
  public LostPackets lostPackets() {
    return state.lost();
  }

  @Override
  public void send(Traffic traffic) {
    assert state.loop().events().inEventLoop() : "send() outside of transmit()";
    Burst burst = (Burst) traffic;
    BurstBuffer buffer = state.pool().claim(burst);
    if (!burst.bytes().hasRemaining()) {
      state.pool().giveBack(buffer);
      return;
    }
    if (BurstBuffer.segments(burst) > maxSegments) {
      state.pool().giveBack(buffer);
      throw new IllegalArgumentException(
          "a burst of "
              + BurstBuffer.segments(burst)
              + " datagrams; the link takes "
              + maxSegments);
    }
    ChannelFuture written = channel.write(buffer.message(burst, recipient(burst.destination())));
    written.addListener(future -> complete(buffer, burst, future.cause()));
    state.turns().wrote(this, buffer.lengthBytes());
  }

  private InetSocketAddress recipient(InetAddress destination) {
    if (lastRecipient == null || !lastRecipient.getAddress().equals(destination)) {
      lastRecipient =
          new InetSocketAddress(Interfaces.withScopeOf(address, destination), sourcePort());
    }
    return lastRecipient;
  }

  private void complete(BurstBuffer buffer, Burst burst, Throwable cause) {
    if (cause == null) {
      state.meter().sent(buffer.segments(), buffer.lengthBytes());
    } else {
      state.meter().sendFailed(buffer.segments());
      state.sendFailures().report(address, buffer, cause);
      note(burst, cause);
      giveUpOffload(buffer, cause);
    }
    state.pool().giveBack(buffer);
    state.turns().resume();
  }

  /** Its senders may ask why no answer comes. */
  private void note(Burst burst, Throwable cause) {
    String fate = "not sent by " + address.getHostAddress() + ": " + cause.getMessage();
    ByteBuffer bytes = burst.bytes();
    for (int at = bytes.position(); at < bytes.limit(); at += burst.segmentBytes()) {
      state.lost().add(burst, at, fate);
    }
  }

  /**
   * The lost burst must not be sent again in parts: its checks cover the identifications that the
   * offload would have given it.
   */
  private void giveUpOffload(BurstBuffer buffer, Throwable cause) {
    boolean wasOffloaded = buffer.segments() > 1;
    if (wasOffloaded && maxSegments > 1 && SendFailures.showsMissingOffload(cause)) {
      maxSegments = 1;
      LOG.warn(
          "{}: segmentation offload does not work here; every datagram is sent by itself from now"
              + " on: {}",
          address.getHostAddress(),
          cause.getMessage());
    }
  }

  void flush() {
    channel.flush();
  }

  /** {@inheritDoc} Not to be called by the network's own thread, which opens the socket. */
  @Override
  public void join(InetAddress group) {
    state.openings().admit(() -> groups.join(group));
  }

  @Override
  public void leave(InetAddress group) {
    groups.leave(group);
  }

  /** {@inheritDoc} Now, unless the device has a turn before it: what arrives makes no more. */
  @Override
  public void ring() {
    if (!state.turns().canTransmitNow() || rung.get()) {
      ringLater();
    } else if (!state.loop().postponesAnswers()) {
      transmit();
    } else if (rung.compareAndSet(false, true)) {
      state.loop().postpone(turn);
    }
  }

  /** Gives the device a turn of its own; many rings until then are one. */
  void ringLater() {
    if (rung.compareAndSet(false, true)) {
      state.turns().soon(turn);
    }
  }

  /** Unless it has had one since. */
  private void takeTurn() {
    if (rung.compareAndSet(true, false)) {
      transmit();
    }
  }

  private void transmit() {
    if (channel.isOpen()) {
      state.turns().transmit(transmission);
    }
  }

  @Override
  public void close() {
    if (!isClosed.compareAndSet(false, true)) {
      return;
    }
    if (state.turns().canTransmitNow()) {
      takeTurn(); // Answers that were postponed.
    }
    groups.close();
    Promise<Void> freed = state.loop().events().newPromise();
    channel.close().addListener(closed -> free(freed));
    if (!state.loop().await(freed, Loop.PATIENCE_NANOS)) {
      LOG.warn("{}: the socket did not close in time", address.getHostAddress());
    }
    onClose.run();
  }

  private void free(Promise<Void> freed) {
    state.turns().forget(this);
    // The JDK gives the port back when its selector runs the next time: before the next timer.
    state
        .loop()
        .events()
        .schedule(() -> {}, 0, TimeUnit.NANOSECONDS)
        .addListener(passed -> freed.setSuccess(null));
  }
}
