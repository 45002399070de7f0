# SPDX-License-Identifier: BSD-3-Clause
import math

HEIGHT, OFFSET, UPPER_ARM, FOREARM, HAND = 0.344, 0.016, 0.221, 0.221, 0.143
FASTEST = [0.349066, 0.459022, 0.459022, 1.44862, 1.85005]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def jacobian(q):
    base, upper = q[0], q[1]
    fore = upper + q[2]
    hand = fore + q[3]

    def place(r, z):
        return [r * math.cos(base), r * math.sin(base), z]

    r, z = OFFSET, HEIGHT
    points = [[0, 0, 0], place(r, z)]
    for length, angle in ((UPPER_ARM, upper), (FOREARM, fore), (HAND, hand)):
        r, z = r + length * math.cos(angle), z + length * math.sin(angle)
        points.append(place(r, z))
    bend = [math.sin(base), -math.cos(base), 0]
    along = [math.cos(hand) * math.cos(base), math.cos(hand) * math.sin(base), math.sin(hand)]
    axes = [[0, 0, 1], bend, bend, bend, along]
    grip = points[4]
    columns = []
    for axis, point in zip(axes, (points[0], points[1], points[2], points[3], points[4])):
        columns.append(cross(axis, [grip[i] - point[i] for i in range(3)]) + axis)
    return [[columns[j][i] for j in range(5)] for i in range(6)]


def solve(a, b):
    n = len(b)
    rows = [list(a[i]) + [b[i]] for i in range(n)]
    for i in range(n):
        best = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[best] = rows[best], rows[i]
        for k in range(n):
            if k != i:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def joint_speeds(q, v):
    speeds = solve(jacobian(q)[:3] + [[0, 1, 1, 1, 0], [0, 0, 0, 0, 1]], list(v) + [0, 0])
    share = max(abs(speed) / most for speed, most in zip(speeds, FASTEST))
    return [speed / max(1.0, share) for speed in speeds]
