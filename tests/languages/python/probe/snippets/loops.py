def loops(n):
    out = []
    for i in range(n):
        if i == 1:
            continue
        if i == 4:
            break
        out.append(i)
    else:
        out.append("else")
    while n:
        n -= 1
        if n == 2:
            continue
    while True:
        n += 1
        if n > 3:
            break
    while (n
           and n > 1):
        n -= 1
    for a in out: out = out[:]
    for (b,
         c) in [
            (1, 2),
            (3, 4)]:
        n += b
    while n: n -= 1
    else:
        n = 5
    return n, out


calls = [lambda: loops(0), lambda: loops(3), lambda: loops(7), lambda: loops(3)]
