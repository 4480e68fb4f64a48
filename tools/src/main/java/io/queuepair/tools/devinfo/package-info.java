// SPDX-License-Identifier: Apache-2.0
/** {@code queuepair devinfo}: the output of {@code ibv_devinfo} for the emulated device. */
package io.queuepair.tools.devinfo;
