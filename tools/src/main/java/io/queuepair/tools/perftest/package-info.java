// SPDX-License-Identifier: Apache-2.0
/**
 * {@code queuepair write-bw} and its family: the other side of perftest's {@code ib_write_bw} and
 * so on.
 *
 * <p>{@link io.queuepair.tools.perftest.TestSequence} is the order of things, the same for both sides;
 * {@link io.queuepair.tools.perftest.ControlChannel} the messages over TCP. {@link
 * io.queuepair.tools.perftest.BandwidthRun} and {@link io.queuepair.tools.perftest.LatencyRun} post
 * and poll, for every operation. No format of output is known to them.
 */
package io.queuepair.tools.perftest;
