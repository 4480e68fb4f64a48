// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the requests of one connection, one at a time, and closes it if the client is too slow.
 *
 * <p>Time limits apply to a whole request and a whole response: a client that transfers single
 * bytes gets no extension.
 */
final class WebConnection extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(WebConnection.class);

  private final Duration requestTime;
  private final Duration answerTime;
  private final Function<FullHttpRequest, WebAnswer> answers;
  private final Executor threads;

  private Future<?> deadline;

  /**
   * Creates a connection.
   *
   * @param requestTime time limit for a complete request, also the first
   * @param answerTime time limit for computing and sending the response
   */
  WebConnection(
      Duration requestTime,
      Duration answerTime,
      Function<FullHttpRequest, WebAnswer> answers,
      Executor threads) {
    this.requestTime = requestTime;
    this.answerTime = answerTime;
    this.answers = answers;
    this.threads = threads;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    closeAfter(requestTime, context);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    // Stops reading until this request is answered; FlowControlHandler holds back the next one.
    context.channel().config().setAutoRead(false);
    closeAfter(answerTime, context);
    request.retain();
    threads.execute(() -> answer(request, context));
  }

  /** Computes the answer on a thread that may block. */
  private void answer(FullHttpRequest request, ChannelHandlerContext context) {
    try {
      FullHttpResponse answer = answers.apply(request).response();
      if (!request.decoderResult().isSuccess()) {
        // Data after such a request is not decoded any more.
        HttpUtil.setKeepAlive(answer, false);
      }
      context.executor().execute(() -> send(answer, context));
    } catch (RuntimeException | Error bug) {
      LOG.error("A request is not answered", bug);
      close(context);
    } finally {
      request.release();
    }
  }

  private void send(FullHttpResponse answer, ChannelHandlerContext context) {
    context
        .writeAndFlush(answer)
        .addListener(
            sent -> {
              if (sent.isSuccess()) {
                closeAfter(requestTime, context);
                context.channel().config().setAutoRead(true);
              }
            });
  }

  /** Schedules the close of the connection, in place of the earlier deadline. */
  private void closeAfter(Duration time, ChannelHandlerContext context) {
    if (deadline != null) {
      deadline.cancel(false);
    }
    deadline =
        context
            .executor()
            .schedule((Runnable) () -> close(context), time.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static void close(ChannelHandlerContext context) {
    context
        .close()
        .addListener(closed -> LOG.debug("{} is closed", context.channel().remoteAddress()));
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    deadline.cancel(false);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("The connection of {} has failed", context.channel().remoteAddress(), cause);
    close(context);
  }
}
