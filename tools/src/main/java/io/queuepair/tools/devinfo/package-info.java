// SPDX-License-Identifier: Apache-2.0
/** {@code queuepair devinfo}: what {@code ibv_devinfo} prints, about the emulated device. */
package io.queuepair.tools.devinfo;
