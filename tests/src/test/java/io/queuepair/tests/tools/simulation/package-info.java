/** Random work on unreliable networks: a short form of what {@code queuepair simulate} runs. */
package io.queuepair.tests.tools.simulation;
