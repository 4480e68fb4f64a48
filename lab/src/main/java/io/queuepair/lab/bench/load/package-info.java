// SPDX-License-Identifier: Apache-2.0
/**
 * What emulated devices are given to do while they are measured: streams of WRITEs, ping-pongs of
 * SENDs, queue pairs that idle, timers that wait. Each load is written against the verbs, as any
 * program would be; how long it runs, and what its figure is compared with, is decided elsewhere.
 */
package io.queuepair.lab.bench.load;
