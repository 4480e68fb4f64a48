/**
 * {@code queuepair bench}: every figure beside its ceiling or reference, measured in the same run.
 *
 * <p>{@link io.queuepair.tools.bench.Row} is the table of what there is to measure, and {@link
 * io.queuepair.tools.bench.Goal} what each is to reach. What devices do meanwhile is in {@code
 * bench.load}, what the machine can do without them in {@code bench.raw}. Nothing here asserts
 * speed: machines are shared and noisy.
 */
package io.queuepair.tools.bench;
