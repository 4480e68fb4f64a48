// SPDX-License-Identifier: Apache-2.0
/** The verbs objects on memory: regions, windows, device memory and buffers. */
package io.queuepair.emulator.device.mr;
