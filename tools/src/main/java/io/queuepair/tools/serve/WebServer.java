// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Serves the files of a site and the playground.
 *
 * <p>One thread does the input and output of all connections, so a slow client blocks no thread.
 * The number of connections per client address is limited; further ones are closed.
 */
final class WebServer implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 256;
  private static final int MOST_OF_ONE_ADDRESS = 32;
  private static final Duration REQUEST_TIME = Duration.ofSeconds(10);
  private static final Duration ANSWER_TIME = Duration.ofSeconds(30);
  private static final int MOST_FORM_BYTES = 200_000;

  /** Number of threads: more than runs at a time, so that files are served meanwhile. */
  private static final int ANSWER_THREADS = 4;

  private static final int TOO_LARGE = 413;

  private final Duration requestTime;
  private final Duration answerTime;
  private final ExecutorService threads = Executors.newFixedThreadPool(ANSWER_THREADS);
  private final MultiThreadIoEventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final Channel server;
  private final WebSite site;
  private volatile String frameAncestors = WebAnswer.OWN_PAGES;

  /**
   * Starts the server.
   *
   * @param ownName name of this host in requests, besides addresses and localhost
   * @param files contents by path; called once the address is known to be free
   */
  WebServer(
      InetSocketAddress address,
      String ownName,
      Supplier<Map<String, String>> files,
      Playground playground)
      throws IOException {
    this(address, ownName, files, playground, REQUEST_TIME, ANSWER_TIME);
  }

  /** Starts the server with given time limits; see {@link WebConnection}. */
  WebServer(
      InetSocketAddress address,
      String ownName,
      Supplier<Map<String, String>> files,
      Playground playground,
      Duration requestTime,
      Duration answerTime)
      throws IOException {
    this.requestTime = requestTime;
    this.answerTime = answerTime;
    server = listen(address);
    site = new WebSite(new RequestFilter(ownName), files.get(), playground);
    server.config().setAutoRead(true);
  }

  /** Binds the address; accepts nothing yet. */
  private Channel listen(InetSocketAddress address) throws IOException {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.AUTO_READ, false)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel connection) {
                    open(connection);
                  }
                });
    ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      close();
    }
    return bound.syncUninterruptibly().channel();
  }

  private void open(SocketChannel connection) {
    InetSocketAddress client = connection.remoteAddress();
    // Null if the client has closed the connection.
    if (client == null || !isWelcome(client.getAddress())) {
      connection.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
      return;
    }
    connections.add(connection);
    connection
        .pipeline()
        .addLast(
            new HttpServerCodec(),
            new FlowControlHandler(),
            new HttpServerKeepAliveHandler(),
            forms(),
            new WebConnection(requestTime, answerTime, this::answer, threads));
  }

  private boolean isWelcome(InetAddress client) {
    long others =
        connections.stream()
            .filter(other -> ((SocketChannel) other).remoteAddress().getAddress().equals(client))
            .count();
    return others < MOST_OF_ONE_ADDRESS && connections.size() < MOST_CONNECTIONS;
  }

  /** Aggregates the parts of a request; discards the rest of one that is too large. */
  private static HttpObjectAggregator forms() {
    return new HttpObjectAggregator(MOST_FORM_BYTES) {
      @Override
      protected void handleOversizedMessage(ChannelHandlerContext context, HttpMessage request) {
        String sentence = "The form has more than " + MOST_FORM_BYTES + " bytes";
        context
            .writeAndFlush(WebAnswer.of(TOO_LARGE, sentence).response())
            .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
      }
    };
  }

  private WebAnswer answer(FullHttpRequest request) {
    return site.answer(request).framedBy(frameAncestors);
  }

  /** Allows pages of these sources to show pages of this server in a frame. */
  void allowFrames(String ancestors) {
    frameAncestors = ancestors;
  }

  int port() {
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  @Override
  public void close() {
    // Connections close before their event loop: that releases responses which clients have not
    // read.
    if (server != null) {
      server.close().awaitUninterruptibly();
    }
    connections.close().awaitUninterruptibly();
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    threads.shutdownNow();
  }
}
